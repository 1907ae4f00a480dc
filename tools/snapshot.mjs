// Makes a snapshot of Python's memory small.
//
// A snapshot is a head of Pyodide's own and then the memory, of which most is empty or as the program lays it out.
// What readers get is the rest; tutorials/player/snapshot.ts lays it out in a memory that has been set up.

/** Stretches with less than so many numbers between them are one. */
const GAP = 4;

/** What a program has to export for `wipe`. */
export const ALLOCATION = ["PyObject_Malloc", "PyObject_Free"];

/** Leave nothing in what Python has set free: nobody reads it, and readers would be sent it. */
export function wipe({ pyimport, _module }, { PyObject_Malloc, PyObject_Free }) {
  pyimport("gc").collect();
  const { HEAPU8 } = _module;
  // Python's own allocator has blocks of these sizes, and less than a million bytes free in each.
  for (let size = 16; size <= 512; size += 16) {
    const blocks = Array.from({ length: 1e6 / size }, () => PyObject_Malloc(size));
    for (const block of blocks) {
      HEAPU8.fill(0, block, block + size);
      PyObject_Free(block);
    }
  }
}

/** Leave nothing in stretches of a snapshot's memory, each from one address to another. */
export function blank(snapshot, stretches) {
  const memory = new Uint8Array(snapshot.buffer, beginOf(snapshot));
  for (const stretch of stretches) {
    memory.fill(0, ...stretch);
  }
}

/** Where Pyodide says that the memory begins. */
function beginOf(snapshot) {
  return new Uint32Array(snapshot.buffer)[1];
}

/**
 * What of a snapshot differs from the memory that a program has set up by the time Pyodide overwrites it, or has been
 * changed by then since the program laid its data out. In numbers of four bytes: how long the memory is, how long its
 * head, and how many stretches there are; the head; for each stretch how far it begins after the one before, and how
 * long it is; and all of them.
 */
export function packed(snapshot, laid, setUp) {
  const head = beginOf(snapshot);
  const memory = new Uint32Array(snapshot.buffer, head);
  const differs = (i) => memory[i] !== (setUp[i] ?? 0) || setUp[i] !== laid[i];
  const stretches = stretchesIn(memory.length, differs);
  const lengths = stretches.flatMap(([begin, end], i) => [
    begin - (stretches[i - 1]?.[1] ?? 0),
    end - begin,
  ]);
  return Buffer.concat(
    [
      Uint32Array.of(memory.length, head / 4, stretches.length),
      new Uint32Array(snapshot.buffer, 0, head / 4),
      Uint32Array.from(lengths),
      ...stretches.map(([begin, end]) => memory.subarray(begin, end)),
    ].map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  );
}

function stretchesIn(length, isIn) {
  const stretches = [];
  for (let i = 0; i < length; i++) {
    if (isIn(i)) {
      const last = stretches.at(-1);
      if (last && i - last[1] < GAP) {
        last[1] = i + 1;
      } else {
        stretches.push([i, i + 1]);
      }
    }
  }
  return stretches;
}

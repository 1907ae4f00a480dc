/**
 * The snapshot: Python's memory with the engine in it, as tools/python.mjs had it
 * when the site was built. From it Python starts in a fraction of the time.
 *
 * It is packed, see tools/snapshot.mjs: how long the memory is, how long Pyodide's
 * own head of it is, and how many stretches there are, in numbers of four bytes;
 * the head; for each stretch how far it begins after the one before, and how long
 * it is; and these stretches. All else is as the program itself sets it up.
 */

const LENGTHS = 3;

/** So many numbers are copied faster at once than one by one; most stretches are shorter. */
const MANY = 32;

/** More bytes than a head has. */
const ROOM = 4096;

/**
 * What Pyodide takes for a snapshot. It wants one before it begins, and then does much that needs none; so it gets a
 * head yet to be written, and instead of the memory a request to lay that out. The request comes when the program has
 * set its own memory up, and leaves Pyodide nothing to copy.
 */
export class Snapshot {
  readonly forPyodide = new Uint8Array(ROOM);
  #layOut: () => void = () => undefined;

  constructor() {
    const { subarray } = Uint8Array.prototype;
    this.forPyodide.subarray = (begin, end) => {
      if (end === undefined) {
        this.#layOut();
        return new Uint8Array();
      }
      return subarray.call(this.forPyodide, begin, end) as Uint8Array<ArrayBuffer>;
    };
  }

  /** The snapshot is here, and so is the memory that it is for. */
  have(packed: Uint32Array<ArrayBuffer>, memory: WebAssembly.Memory): void {
    const [, head = 0] = packed;
    this.forPyodide.set(new Uint8Array(packed.buffer, 4 * LENGTHS, 4 * head));
    this.#layOut = () => layOut(packed, memory);
  }
}

function layOut(snapshot: Uint32Array, memory: WebAssembly.Memory): void {
  const [length = 0, head = 0, count = 0] = snapshot;
  const numbers = new Uint32Array(memory.buffer);
  if (numbers.length !== length) {
    throw new Error(`a memory of ${numbers.length} numbers for a snapshot of ${length}`);
  }
  const stretches = LENGTHS + head;
  let [from, to] = [stretches + 2 * count, 0];
  for (let at = stretches; at < stretches + 2 * count; at += 2) {
    const size = snapshot[at + 1] ?? 0;
    to += snapshot[at] ?? 0;
    if (size < MANY) {
      for (let i = 0; i < size; i++) {
        numbers[to + i] = snapshot[from + i] as number;
      }
    } else {
      numbers.set(snapshot.subarray(from, from + size), to);
    }
    from += size;
    to += size;
  }
}

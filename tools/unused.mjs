// Finds large tables in Python's data that the engine does not use: each as where it begins and ends in memory.
//
// It asks a Python that is whole and has just started; the data of one that has been cut lies in the same places.

/** Modules that Python has in itself: all that are needed have been imported, and whoever imports another is told. */
export function frozenModules({ runPython }) {
  const modules = runPython(`
import _imp
[data for name in _imp._frozen_module_names() for data, *_ in [_imp.find_frozen(name, withdata=True)] if data]`);
  const places = [];
  for (const module of modules) {
    const content = module.getBuffer();
    const { byteOffset, byteLength } = content.data;
    places.push([byteOffset, byteOffset + byteLength]);
    content.release();
  }
  modules.destroy();
  return places;
}

const CODECS = ["cn", "hk", "jp", "kr", "tw"];
const CHARSETS = [
  ...["gb2312", "gbkext", "gbcommon", "gb18030ext", "big5", "big5hkscs", "big5hkscs_bmp"],
  ...["big5hkscs_nonbmp", "cp950ext", "ksx1001", "cp949", "cp949ext", "jisx0208", "jisx0212"],
  ...["jisxcommon", "cp932ext", "jisx0213_bmp", "jisx0213_1_bmp", "jisx0213_2_bmp"],
  ...["jisx0213_emp", "jisx0213_1_emp", "jisx0213_2_emp"],
];
/** Bytes of one row in a charset's index: where its letters are, the first, the last, and two more of nothing. */
const ROW = 8;
const ROWS = 256;

/**
 * The letters of East Asian charsets, whose codecs no library that we ship can load. Each codec, once loaded, has in its
 * state a list of names, each with the addresses of two indices: for encoding and for decoding.
 */
export function charsets({ runPython, _module }) {
  runPython(`import ${CODECS.map((name) => `_codecs_${name}`)}`);
  const { HEAPU8, HEAPU32 } = _module;
  const memory = Buffer.from(HEAPU8.buffer);
  const address = (at) => HEAPU32[at / 4];
  const names = new Set();
  for (const charset of CHARSETS) {
    const name = Buffer.from(`${charset}\0`);
    for (let at = memory.indexOf(name); at >= 0; at = memory.indexOf(name, at + 1)) {
      names.add(at);
    }
  }
  const entries = [];
  for (let at = 0; at < memory.length; at += 4) {
    if (names.has(address(at))) {
      entries.push(at);
    }
  }
  return entries.flatMap((at) => [address(at + 4), address(at + 8)]).flatMap(lettersOf);

  /** What an index says of where letters are; nothing, if it is no index. */
  function lettersOf(index) {
    if (!index || index % 4 || index + ROWS * ROW > memory.length) {
      return [];
    }
    const rows = Array.from({ length: ROWS }, (_, i) => {
      const at = index + ROW * i;
      return {
        begin: address(at),
        first: HEAPU8[at + 4],
        last: HEAPU8[at + 5],
        more: address(at + 4) >>> 16,
      };
    });
    const isIndex = rows.every(({ begin, first, last, more }) =>
      begin
        ? begin % 2 === 0 && begin < memory.length && first <= last && !more
        : !first && !last && !more,
    );
    return isIndex
      ? rows.flatMap(({ begin, first, last }) =>
          begin ? [[begin, begin + 2 * (last - first + 1)]] : [],
        )
      : [];
  }
}

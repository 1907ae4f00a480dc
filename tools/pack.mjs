// Lays a .br beside each file of the runtime, packed as hard as can be.
//
//   node tools/pack.mjs FOLDER CACHE
//
// It takes most of a minute once, and nothing afterwards: CACHE keeps what has
// been packed, by hash.
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const [folder, cache] = process.argv.slice(2);
mkdirSync(cache, { recursive: true });
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/\.(gz|br)$/.test(entry.name))
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

await Promise.all(
  files.map(async (file) => {
    const content = readFileSync(file);
    const kept = join(cache, createHash("sha256").update(content).digest("hex"));
    if (!existsSync(kept)) {
      const params = {
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS, // also the faster one here
      };
      writeFileSync(`${kept}.part`, await promisify(brotliCompress)(content, { params }));
      renameSync(`${kept}.part`, kept);
    }
    copyFileSync(kept, `${file}.br`);
  }),
);

/**
 * On pages with walkthroughs, before anything else of the player: starts the
 * worker, so that Python wakes while the page is still being laid out. It only
 * does where everything for it is kept already; see `worker.ts`.
 */

import { prepare } from "./engine";

prepare();

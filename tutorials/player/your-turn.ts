/**
 * “Your turn”: the reader plays on from a step, over any player, and is kept
 * company by the engine. It says what can be done, and of all else why not.
 */

import { freshId, type Game, keep, newest } from "./keep";
import { decode, encode } from "./link";
import { make } from "./make";
import { Own, type Position } from "./own";
import type { Action, GameRecord, Played } from "./protocol";
import { reversed, waysOf } from "./travel";
import type { Walk } from "./walk";

export class YourTurn {
  readonly #walk: Walk;

  constructor(walk: Walk) {
    this.#walk = walk;
  }

  /** Play on from what is in sight. */
  async takeOver(): Promise<void> {
    const { markup, place, step } = this.#walk;
    const isHere = markup.hasFocus;
    await this.resume(freshId(), step, place.branch?.done ?? [], []);
    this.#lead(isHere);
  }

  /** Play on from a step of the story, after some moves: none yet, a link's, or those of a game that was kept. */
  async resume(
    id: number,
    step: number,
    done: readonly Action[],
    undone: readonly Action[],
  ): Promise<void> {
    const { place, stage, telling, voice } = this.#walk;
    const start = telling.recordAt(step);
    const stays = place.stay();
    const played = this.#walk.step === step ? await this.#ask(start, done) : null;
    if (!played) {
      return;
    }
    const refused = played.error !== null;
    const allowed = (played.record.actions?.length ?? 0) - (start.actions?.length ?? 0);
    const moves = refused ? done.slice(0, allowed) : [...done, ...undone];
    const own = new Own(id, step, start, moves, allowed);
    const position = await this.#lookUp(own, allowed);
    if (!position || !stays() || place.own) {
      return; // the reader has gone elsewhere in the meantime
    }
    own.turnTo(allowed, position);
    place.own = own;
    place.branch = null;
    this.#offer(position.played);
    if (refused) {
      stage.present(stage.draw(played.step), []);
      voice.note("link-illegal", { move: allowed + 1 });
    } else if (done.length > 0) {
      stage.present(position.shown, []);
    }
    this.#walk.address();
  }

  /** Take up a game again that was kept. */
  continue(): void {
    const { markup, step, voice } = this.#walk;
    const game = newest(markup.name, step);
    if (game) {
      this.#walk.turnQuietlyTo(game.step);
      voice.note(null);
      this.#walk.whenLive(() => this.#takeUp(game));
    }
  }

  async #takeUp(game: Game): Promise<void> {
    const { markup, place, telling } = this.#walk;
    const { id, step, line, undone, agreed = false } = game;
    if (agreed !== telling.isAgreed && telling.hasAgreements) {
      const stays = place.stay();
      await telling.retell(agreed);
      if (agreed === telling.isAgreed) {
        if (stays()) {
          this.#walk.turnQuietlyTo(step); // told otherwise, the story may have been too short for it
          this.#walk.whenLive(() => this.#takeUp(game));
        } else {
          this.#walk.address();
        }
      }
      return;
    }
    const [before, after] = [line, undone].map((moves) => decode(moves, markup.players).actions);
    const isHere = markup.hasFocus;
    await this.resume(id, step, before ?? [], after ?? []);
    this.#lead(isHere);
  }

  async act(action: Action): Promise<void> {
    const { place, stage, telling } = this.#walk;
    const { own } = place;
    const from = own?.current;
    const played = from && (await this.#ask(from.played.record, [action]));
    if (!played || place.own !== own || own?.current !== from) {
      return; // the reader has gone elsewhere in the meantime
    }
    const shown = stage.draw(played.step);
    if (played.error) {
      stage.present(shown, []); // the reader's choice stands, to be mended
      return;
    }
    own.play(played.record.actions?.at(-1) as Action, { shown, played });
    this.#keep(own);
    const { turn } = played.state;
    const passes = telling.viewer === true && turn !== null && turn !== from.played.state.turn;
    if (passes) {
      await this.#passTo(turn);
    }
    this.#offer(played);
    stage.present(shown, passes ? [] : waysOf(shown));
    if (passes) {
      this.#lead();
    }
  }

  /** Take a move back (-1), or make one again that was taken back (1). */
  async turn(by: -1 | 1): Promise<void> {
    const { place, stage } = this.#walk;
    const own = place.own as Own;
    const [from, at] = [own.current, own.at + by];
    const position = own.position(at) ?? (await this.#lookUp(own, at));
    if (!position || place.own !== own || own.current !== from) {
      return;
    }
    own.turnTo(at, position);
    this.#offer(position.played);
    stage.present(position.shown, by < 0 ? reversed(waysOf(from.shown)) : waysOf(position.shown));
    this.#keep(own);
  }

  /** The reader has other eyes now: look at where the game stands with those. */
  async lookAgain(own: Own): Promise<void> {
    const { place, stage, telling } = this.#walk;
    const { viewer } = telling;
    const position = await this.#lookUp(own, own.at);
    if (position && own === place.own && telling.viewer === viewer) {
      own.forget();
      own.turnTo(own.at, position);
      this.#offer(position.played);
      stage.present(position.shown, []);
    }
  }

  /** Back to the step that the game began at. */
  end(): void {
    this.#walk.leave();
    this.#walk.arrive(this.#walk.current, []);
    this.#walk.markup.button("take-over").focus();
  }

  /** The engine is gone: back to the story; but the way back to the game, if there is one. */
  giveUp(): (() => Promise<void>) | null {
    const { place, stage } = this.#walk;
    const { own } = place;
    if (!own) {
      return null;
    }
    this.#walk.leave();
    stage.show(this.#walk.current, []);
    return () => this.resume(own.id, own.step, own.done, own.undone);
  }

  /** Keep the game, and say so where that cannot be. */
  #keep({ id, step, done, undone }: Own): void {
    const { markup, telling, voice } = this.#walk;
    const written = (moves: readonly Action[]): string => encode(moves, markup.players);
    const trouble = keep({
      id,
      name: markup.name,
      step,
      line: written(done),
      undone: written(undone),
      agreed: telling.isAgreed,
    });
    voice.note(trouble && `kept-${trouble}`);
    this.#walk.address();
  }

  /** A position that nobody has seen yet, of a game that was taken up after it. */
  async #lookUp(own: Own, at: number): Promise<Position | null> {
    const { current, stage } = this.#walk;
    const { record, actions } = own.question(at);
    const played = await this.#ask(record, actions);
    return played && { shown: at > 0 ? stage.draw(played.step) : current, played };
  }

  #ask(record: GameRecord, actions: readonly Action[]): Promise<Played | null> {
    const { live, telling } = this.#walk;
    return live.ask({ do: "play", record, actions, viewer: telling.viewer });
  }

  #offer(played: Played): void {
    this.#walk.moves.offer(played);
    this.#walk.refresh();
  }

  /** Lead whoever asked for their turn to it. The button that they pressed is gone by now, and the focus with it. */
  #lead(isHere = this.#walk.markup.hasFocus): void {
    if (this.#walk.place.own && isHere) {
      this.#walk.moves.focus();
      this.#walk.stage.bringInSight();
    }
  }

  /** Show no table until the device has been passed to whoever's turn it is now. */
  #passTo(player: string): Promise<void> {
    const { markup, moves, stage, voice } = this.#walk;
    const words = (key: string): string => (markup.words[key] ?? "").replace("{player}", player);
    const here = make("button", { type: "button" }, words("pass-here"));
    const curtain = stage.draw("");
    curtain.classList.add("rw-curtain");
    curtain.append(make("p", {}, words("pass")), here);
    moves.clear();
    stage.show(curtain, null);
    voice.tell(words("pass"));
    here.focus();
    return new Promise((passed) => {
      here.addEventListener("click", () => passed());
    });
  }
}

/** What every page includes: it makes the page's walkthroughs come alive. */

import { follow } from "./arrive";
import { RuleWalkthrough } from "./walkthrough";

customElements.define("rule-walkthrough", RuleWalkthrough);
follow();

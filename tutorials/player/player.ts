/** What every page includes: it makes the page's walkthroughs come alive. */

import { follow } from "./arrive";
import { keepSiteLater } from "./offline";
import { RuleStorage } from "./storage";
import { RuleWalkthrough } from "./walkthrough";

customElements.define("rule-walkthrough", RuleWalkthrough);
customElements.define("rule-storage", RuleStorage);
keepSiteLater();
follow();

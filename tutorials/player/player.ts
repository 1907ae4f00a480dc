/** What every page includes: it makes the page's walkthroughs come alive. */

import { follow } from "./arrive";
import { keepSiteLater } from "./offline";
import { apply } from "./settings";
import { RuleStorage } from "./storage";
import { RuleWalkthrough } from "./walkthrough";

apply();
customElements.define("rule-walkthrough", RuleWalkthrough);
customElements.define("rule-storage", RuleStorage);
keepSiteLater();
follow();

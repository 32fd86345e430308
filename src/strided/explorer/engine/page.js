// The page without a server: the engine in the page answers, from the tables that were written into it.

import { start } from "../pages/app.js";
import { makeEngine } from "./engine.js";

const engine = makeEngine(JSON.parse(document.getElementById("tables").textContent));
start(async (name, given = {}) => engine[name](given));

// The page of recorded runs.

import { open } from "./app.js";

open(JSON.parse(document.getElementById("data").textContent));

// The page as `strided explore` serves it: strided itself answers.

import { start } from "./app.js";

async function ask(name, given) {
  const isPost = name === "evaluate" || name === "answer";
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given) };
  const address = isPost || !given ? name : `${name}?${new URLSearchParams(given)}`;
  let response;
  try {
    response = await fetch(address, isPost ? options : {});
  } catch {
    throw new Error("The server does not answer. Start strided explore again and open its new address.");
  }
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

start(ask);

// The window begins: a code in the fragment is traded for a token, or the token of before is used.

import { mount } from "svelte";
import App from "./App.svelte";
import { keepSession, LogInFailed, takeCode, tradeCode } from "./live/session.ts";
import "./app.css";

const target = document.getElementById("window");
const theme = localStorage.getItem("constel.theme");
if (theme !== null) document.documentElement.dataset["theme"] = theme;

async function begin(): Promise<string | undefined> {
  const code = takeCode();
  if (code === undefined) return undefined;
  try {
    keepSession(await tradeCode(code));
    return undefined;
  } catch (cause) {
    return cause instanceof LogInFailed ? cause.message : "the daemon does not answer";
  }
}

const problem = await begin();
if (target !== null) mount(App, { target, props: { problem } });

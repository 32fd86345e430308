/* Search on pages that are opened as files: browsers refuse to start a worker there, so the worker's
   script runs in a hidden frame. On a server nothing of this happens. */
"use strict";

if (location.protocol === "file:") {
  const prelude = `
    const answered = parent;
    self.postMessage = (data) => answered.postMessage({ iframeWorker: data }, "*");
    self.importScripts = (...urls) => urls.reduce((before, url) => before.then(() =>
      new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = url;
        script.onload = done;
        script.onerror = failed;
        document.body.append(script);
      })), Promise.resolve());
  `;

  class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "search";
      this.frame.tabIndex = -1;
      this.frame.ariaHidden = "true";
      document.body.append(this.frame);
      // Bound before the frame calls its answers by this name.
      this.deliver = this.frame.contentWindow.postMessage.bind(this.frame.contentWindow);
      this.ready = new Promise((done) => {
        addEventListener("message", (event) => this.receive(event));
        const inside = this.frame.contentDocument;
        const begin = inside.createElement("script");
        begin.textContent = prelude;
        const program = inside.createElement("script");
        program.src = new URL(url, location.href).href;
        program.onload = done;
        inside.body.append(begin, program);
      });
    }

    receive(event) {
      if (event.source !== this.frame.contentWindow || !event.data?.iframeWorker) return;
      const message = new MessageEvent("message", { data: event.data.iframeWorker });
      this.onmessage?.(message);
      this.dispatchEvent(message);
    }

    postMessage(data) {
      this.ready.then(() => this.deliver(data, "*"));
    }

    terminate() {
      this.frame.remove();
    }
  }

  window.IFrameWorker = IFrameWorker;
  window.Worker = IFrameWorker;
}

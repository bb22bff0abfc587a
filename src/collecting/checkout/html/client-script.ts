/**
 * The script of the page: copy buttons, the payer's time zone, the countdown, live updates, and what
 * a phone can do with a code. Every page works without it. Next: `render.ts`.
 */

const SOURCE = `(() => {
  const { body } = document;
  const spoken = document.getElementById('live');
  let main = document.querySelector('main');
  let source = main.outerHTML;
  let timer;
  let busy = false;
  let late = false;

  const say = (text) => {
    spoken.textContent = '';
    setTimeout(() => (spoken.textContent = text), 100);
  };

  async function offer(button) {
    if (!navigator.canShare) return;
    try {
      const answer = await fetch(button.dataset.share);
      const files = [new File([await answer.blob()], 'payment.png', { type: 'image/png' })];
      if (!answer.ok || !navigator.canShare({ files })) return;
      button.hidden = false;
      button.onclick = () => navigator.share({ files }).catch(() => {});
    } catch {}
  }

  function improve() {
    for (const button of main.querySelectorAll('[data-copy]')) {
      if (!navigator.clipboard) break;
      const label = button.textContent;
      button.hidden = false;
      button.onclick = async () => {
        await navigator.clipboard.writeText(button.dataset.copy);
        button.textContent = body.dataset.copied;
        say(body.dataset.copied);
        setTimeout(() => (button.textContent = label), 2000);
      };
    }
    for (const time of main.querySelectorAll('time')) {
      time.textContent = new Intl.DateTimeFormat(body.dataset.locale, {
        day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short',
      }).format(new Date(time.dateTime));
    }
    for (const link of main.querySelectorAll('[data-zoned]')) {
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      if (zone) link.href += '&zone=' + encodeURIComponent(zone);
    }
    const print = main.querySelector('[data-print]');
    if (print) {
      print.hidden = false;
      print.onclick = () => window.print();
    }
    const share = main.querySelector('[data-share]');
    if (share) offer(share);
    clearInterval(timer);
    const left = main.querySelector('[data-until]');
    if (left) {
      const ahead = body.dataset.now - Date.now();
      const tick = () => {
        const seconds = Math.ceil((left.dataset.until - Date.now() - ahead) / 1000);
        const two = (number) => String(Math.floor(number) % 60).padStart(2, '0');
        const clock = Math.floor(seconds / 3600) + ':' + two(seconds / 60) + ':' + two(seconds);
        left.textContent = seconds > 0 && seconds < 86400 ? left.dataset.text.replace('{}', clock) : '';
        if (seconds > 0) return;
        clearInterval(timer);
        setTimeout(refresh, 2000);
      };
      timer = setInterval(tick, 1000);
      tick();
    }
  }

  const typing = () => [...main.querySelectorAll('input:not([type=hidden])')].some((input) => input.value !== '');

  async function refresh() {
    if (typing()) return;
    if (busy) return void (late = true);
    busy = true;
    try {
      const answer = await fetch(body.dataset.page, { cache: 'no-store' });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const next = page.querySelector('main');
      if (answer.ok && next && next.outerHTML !== source && !typing()) {
        const focused = main.contains(document.activeElement);
        source = next.outerHTML;
        main.replaceWith(next);
        main = next;
        document.title = page.title;
        body.className = page.body.className;
        Object.assign(body.dataset, page.body.dataset);
        if (focused) main.focus();
        if (!body.dataset.live) events?.close();
        improve();
        say(main.querySelector('h1').textContent);
      }
    } catch {}
    busy = false;
    if (late) refresh((late = false));
  }

  let events;
  function listen() {
    events = new EventSource(body.dataset.live);
    events.addEventListener('status', refresh);
    events.onerror = () => {
      if (events.readyState === 2) setTimeout(listen, 30000);
    };
  }

  improve();
  if (body.dataset.live) listen();
  addEventListener('pageshow', (event) => event.persisted && location.reload());
})();
`;

/** Indentation is a fifth of the bytes. */
export const CLIENT_SCRIPT = SOURCE.replace(/\n\s*/g, '\n');

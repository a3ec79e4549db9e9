// The live page of `op-sdk dev --ui`.
import { byId, clock, element, nameOf, span } from './dom.js';
import { countObjects, filterObjects, putObjects, removeAllObjects, removeObjects } from './objects.js';

/** Reconciles that stay on the page. */
const mostRuns = 300;

const state = { runs: [], controllers: [], depths: {}, filter: '', paused: false };

const duration = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
const matches = (text) => text.toLowerCase().includes(state.filter);

// Reconciles

const resultClass = (result) => (result === 'error' ? 'bad' : result === 'success' ? 'good' : 'wait');

function runRow(run) {
  const head = element('div', { className: 'line' });
  head.append(
    span(clock(run.start + run.duration), 'dim'),
    span(`${run.kind} ${nameOf(run)}`),
    span(run.result, resultClass(run.result)),
    span(duration(run.duration)),
    span(`${run.requests} ${run.requests === 1 ? 'request' : 'requests'}`, 'dim'),
  );
  const why = element('div', { className: 'line' });
  if (run.trigger !== '') why.append(span(`after ${run.trigger}`, 'dim'));
  if (run.attempt > 1) why.append(span(`try ${run.attempt}`, 'wait'));
  if (run.nextTry !== undefined) why.append(span(`next try at ${clock(run.nextTry)}`, 'wait'));
  const row = element('li', {}, head, why);
  if (run.error !== undefined) {
    row.append(element('div', { className: 'bad', text: run.error.message }));
    for (const fix of run.error.fix) row.append(element('div', { className: 'dim', text: `fix: ${fix}` }));
  }
  return row;
}

function showRuns() {
  const shown = state.runs.filter((run) => matches(`${run.kind} ${nameOf(run)}`));
  byId('runs').replaceChildren(...shown.map(runRow).reverse());
}

function addRuns(runs) {
  state.runs = [...state.runs, ...runs].slice(-mostRuns);
  if (state.paused) return;
  const list = byId('runs');
  const shown = runs.slice(-mostRuns).filter((run) => matches(`${run.kind} ${nameOf(run)}`));
  list.prepend(...shown.map(runRow).reverse());
  while (list.childElementCount > mostRuns) list.lastElementChild.remove();
}

// The rest

function showOperator(running) {
  const status = byId('operator');
  status.textContent = running ? '● operator runs' : '○ no operator runs';
  status.className = running ? 'good' : 'bad';
}

function showControllers() {
  const items = state.controllers.map(({ name }) => {
    const depth = state.depths[name] ?? 0;
    return element('li', {}, span(`${name} `), span(`queue ${depth}`, depth === 0 ? 'dim' : 'wait'));
  });
  byId('controllers').replaceChildren(...items);
}

function showRefusals(refusals) {
  const rows = refusals.map(({ message, fix, count, last }) => {
    const row = element('li', {}, element('div', { className: 'bad', text: message }));
    for (const each of fix) row.append(element('div', { text: `fix: ${each}` }));
    row.append(element('div', { className: 'dim', text: `${count} times, last at ${clock(last)}` }));
    return row;
  });
  byId('refusals').replaceChildren(...rows.reverse());
  byId('refusals-count').textContent = refusals.length === 0 ? '' : refusals.length;
}

function showEvents(events) {
  const rows = events.map((event) => {
    const head = element('div', { className: 'line' });
    head.append(
      span(clock(event.time), 'dim'),
      span(event.reason, event.type === 'Warning' ? 'bad' : 'good'),
      span(`${event.kind} ${nameOf(event)}`),
    );
    if (event.count > 1) head.append(span(`${event.count} times`, 'dim'));
    return element('li', {}, head, element('div', { text: event.note }));
  });
  byId('events').replaceChildren(...rows.reverse());
  byId('events-count').textContent = events.length === 0 ? '' : events.length;
}

function showForbidden(kinds) {
  const notice = byId('forbidden');
  notice.hidden = kinds.length === 0;
  notice.textContent = `Not shown, because they may not be listed: ${kinds.join(', ')}`;
}

function receive(news) {
  if (news.project !== undefined) {
    byId('project').textContent = news.project;
    document.title = `${news.project} · op-sdk dev`;
  }
  if (news.running !== undefined) showOperator(news.running);
  if (news.controllers) state.controllers = news.controllers;
  if (news.depths) state.depths = news.depths;
  if (news.controllers || news.depths) showControllers();
  if (news.objects) putObjects(news.objects);
  if (news.gone) removeObjects(news.gone);
  if (news.runs) addRuns(news.runs);
  if (news.events) showEvents(news.events);
  if (news.refusals) showRefusals(news.refusals);
  if (news.forbidden) showForbidden(news.forbidden);
  countObjects();
  if (news.dropped) byId('runs-count').textContent = `${news.dropped} came too fast to be shown`;
}

byId('filter').addEventListener('input', ({ target }) => {
  state.filter = target.value.toLowerCase();
  filterObjects(matches);
  showRuns();
});
byId('pause').addEventListener('click', ({ target }) => {
  state.paused = !state.paused;
  target.setAttribute('aria-pressed', String(state.paused));
  if (!state.paused) showRuns();
});

const stream = new EventSource('stream');
stream.addEventListener('open', () => {
  // Everything comes again.
  removeAllObjects();
  state.runs = [];
  byId('runs').replaceChildren();
});
stream.addEventListener('message', ({ data }) => receive(JSON.parse(data)));
stream.addEventListener('error', () => {
  byId('operator').textContent = 'op-sdk dev has ended';
  byId('operator').className = 'bad';
});

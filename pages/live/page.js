// The live page of `op-sdk dev --ui`. All text of the cluster goes into the page as text, never as HTML.

/** Reconciles that stay on the page. */
const mostRuns = 300;

const byId = (id) => document.getElementById(id);
const state = {
  objects: new Map(),
  rows: new Map(),
  runs: [],
  controllers: [],
  depths: {},
  filter: '',
  paused: false,
  open: undefined,
};

function element(name, { className, text, title } = {}, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  if (title) made.title = title;
  made.append(...children);
  return made;
}

const span = (text, className) => element('span', { text, className });
const nameOf = ({ namespace, name }) => (namespace === undefined ? name : `${namespace}/${name}`);
const clock = (time) => new Date(time).toLocaleTimeString();
const duration = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
const matches = (text) => text.toLowerCase().includes(state.filter);

// Objects

const conditionClass = ({ status }) => (status === 'True' ? 'good' : status === 'False' ? 'bad' : 'wait');

function objectRow(object) {
  const button = element('button', { text: `${object.kind} ${nameOf(object)}` });
  button.type = 'button';
  button.addEventListener('click', () => openDetails(object.id));
  const line = element('div', { className: 'line' });
  if (object.deleting) line.append(span('being deleted', 'wait'));
  for (const condition of object.conditions) {
    const { type, status, reason, message } = condition;
    const text = `${type}=${status}${reason === '' ? '' : ` (${reason})`}`;
    line.append(element('span', { text, className: conditionClass(condition), title: message }));
  }
  if (line.childElementCount === 0) line.append(span(`created ${object.created}`, 'dim'));
  return element('li', {}, button, line);
}

const isShown = (object) => matches(`${object.kind} ${nameOf(object)}`);

function putObjects(objects) {
  const list = byId('objects');
  const fresh = document.createDocumentFragment();
  for (const object of objects) {
    state.objects.set(object.id, object);
    const row = objectRow(object);
    row.hidden = !isShown(object);
    const old = state.rows.get(object.id);
    const hadFocus = old?.contains(document.activeElement);
    if (old === undefined) fresh.append(row);
    else old.replaceWith(row);
    if (hadFocus) row.querySelector('button').focus();
    state.rows.set(object.id, row);
    if (state.open === object.id) void showDetails(object.id);
  }
  list.append(fresh);
}

function removeObjects(ids) {
  for (const id of ids) {
    state.rows.get(id)?.remove();
    state.rows.delete(id);
    state.objects.delete(id);
    if (state.open === id) void showDetails(id);
  }
}

async function openDetails(id) {
  state.open = id;
  byId('details-title').textContent = '';
  await showDetails(id);
  const dialog = byId('details');
  if (!dialog.open) dialog.showModal();
}

async function showDetails(id) {
  const object = state.objects.get(id);
  const answer = await fetch(`object?id=${encodeURIComponent(id)}`);
  if (state.open !== id) return;
  const details = answer.ok ? await answer.json() : undefined;
  if (object !== undefined) byId('details-title').textContent = `${object.kind} ${nameOf(object)}`;
  byId('details-yaml').textContent = details?.yaml ?? 'It is gone.';
  const changes = details?.changes ?? [];
  byId('details-changes').replaceChildren(...changes.map(changeRow));
}

function changeRow({ time, text }) {
  const lines = element('pre');
  lines.tabIndex = 0;
  for (const line of text.split('\n')) {
    const className = line.startsWith('+') ? 'good' : line.startsWith('-') ? 'bad' : '';
    lines.append(span(`${line}\n`, className));
  }
  return element('li', {}, span(clock(time), 'dim'), lines);
}

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
  byId('objects-count').textContent = state.objects.size === 0 ? '' : state.objects.size;
  if (news.dropped) byId('runs-count').textContent = `${news.dropped} came too fast to be shown`;
}

byId('filter').addEventListener('input', ({ target }) => {
  state.filter = target.value.toLowerCase();
  for (const [id, row] of state.rows) row.hidden = !isShown(state.objects.get(id));
  showRuns();
});
byId('pause').addEventListener('click', ({ target }) => {
  state.paused = !state.paused;
  target.setAttribute('aria-pressed', String(state.paused));
  if (!state.paused) showRuns();
});
byId('details').addEventListener('close', () => (state.open = undefined));

const stream = new EventSource('stream');
stream.addEventListener('open', () => {
  // Everything comes again.
  removeObjects([...state.rows.keys()]);
  state.runs = [];
  byId('runs').replaceChildren();
});
stream.addEventListener('message', ({ data }) => receive(JSON.parse(data)));
stream.addEventListener('error', () => {
  byId('operator').textContent = 'op-sdk dev has ended';
  byId('operator').className = 'bad';
});

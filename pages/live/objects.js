// Objects of the cluster and the nodes, what the page can do to them, and the details of one of them.
import { byId, clock, element, nameOf, span } from './dom.js';

/** Milliseconds between two looks at the log that is shown. */
const logInterval = 2000;

/** By id: the object, and the elements of its row. */
const rows = new Map();
let matches = () => true;

const titleOf = (object) => `${object.kind} ${nameOf(object)}`;
const isNode = ({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Node';
const conditionClass = ({ status }) => (status === 'True' ? 'good' : status === 'False' ? 'bad' : 'wait');

function button(key, text, onClick) {
  const made = element('button', { text });
  made.type = 'button';
  made.dataset.key = key;
  made.addEventListener('click', onClick);
  return made;
}

function describe(object) {
  const title = button('title', titleOf(object), () => void openDetails(object.id));
  title.className = 'title';
  const line = element('div', { className: 'line' });
  if (object.deleting) line.append(span('being deleted', 'wait'));
  for (const { text, tone } of object.words ?? []) line.append(span(text, tone));
  for (const condition of object.conditions) {
    const { type, status, reason, message } = condition;
    const text = `${type}=${status}${reason === '' ? '' : ` (${reason})`}`;
    line.append(element('span', { text, className: conditionClass(condition), title: message }));
  }
  if (line.childElementCount === 0) line.append(span(`created ${object.created}`, 'dim'));
  const made = element('div', {}, title, line);
  if (object.actions) made.append(actionsOf(object));
  return made;
}

function actionsOf(object) {
  const group = element('div', { className: 'actions' });
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', `Actions on ${titleOf(object)}`);
  for (const { name, label, title, pressed } of object.actions) {
    const made = button(`action ${name}`, label, () => void act(object, name, label, pressed));
    made.title = title;
    if (pressed !== undefined) made.setAttribute('aria-pressed', String(pressed));
    group.append(made);
  }
  return group;
}

async function act(object, action, label, pressed) {
  const problem = byId('problem');
  problem.hidden = true;
  const answer = await fetch('act', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: object.id, action, pressed: pressed === false }),
  }).catch(() => undefined);
  if (answer?.ok) return;
  problem.textContent = `${label} of ${titleOf(object)} is not possible${answer?.status === 404 ? ': it is gone' : ''}`;
  problem.hidden = false;
}

function put(object) {
  const shown = describe(object);
  const known = rows.get(object.id);
  if (known === undefined) {
    rows.set(object.id, { object, shown, row: element('li', {}, shown), owned: undefined });
    return;
  }
  const focused = known.shown.contains(document.activeElement)
    ? document.activeElement.dataset.key
    : undefined;
  known.shown.replaceWith(shown);
  Object.assign(known, { object, shown });
  if (focused === undefined) return;
  const same = [...shown.querySelectorAll('button')].find(({ dataset }) => dataset.key === focused);
  (same ?? shown.querySelector('button')).focus();
}

/** The list of what an object owns, which only few have. */
function ownedBy(owner) {
  if (owner.owned !== undefined) return owner.owned;
  owner.owned = element('ul', { className: 'owned' });
  owner.owned.setAttribute('aria-label', `Owned by ${titleOf(owner.object)}`);
  owner.row.append(owner.owned);
  return owner.owned;
}

/** Puts rows below those of their owners. Moves only rows whose place has changed, because a row that is moved loses the focus. */
function place(objects) {
  const fresh = { nodes: document.createDocumentFragment(), objects: document.createDocumentFragment() };
  for (const { id } of objects) {
    const { object, row } = rows.get(id);
    const owner = rows.get(object.owner);
    const list = isNode(object) ? 'nodes' : 'objects';
    const target = owner === undefined ? byId(list) : ownedBy(owner);
    if (row.parentNode === target) continue;
    (owner === undefined ? fresh[list] : target).append(row);
  }
  for (const [list, fragment] of Object.entries(fresh)) byId(list).append(fragment);
}

export function putObjects(objects) {
  for (const object of objects) put(object);
  place(objects);
  applyFilter();
  const opened = objects.find(({ id }) => id === open.id);
  if (opened !== undefined) void showDetails(opened.id);
}

export function removeObjects(ids) {
  for (const id of ids) {
    rows.get(id)?.row.remove();
    rows.delete(id);
    if (open.id === id) void showDetails(id);
  }
}

export function removeAllObjects() {
  removeObjects([...rows.keys()]);
}

export function countObjects() {
  const nodes = [...rows.values()].filter(({ object }) => isNode(object)).length;
  byId('nodes-part').hidden = nodes === 0;
  byId('objects-count').textContent = rows.size === nodes ? '' : rows.size - nodes;
}

/** Shows objects that match, with their owners and all that they own. */
export function filterObjects(isMatch) {
  matches = isMatch;
  applyFilter();
}

function applyFilter() {
  const shown = new Set();
  for (const { object } of rows.values()) {
    const way = [];
    for (let at = object; at !== undefined; at = rows.get(at.owner)?.object) way.push(at);
    if (matches(titleOf(object))) for (const { id } of way) shown.add(id);
    else if (way.some((each) => matches(titleOf(each)))) shown.add(object.id);
  }
  for (const [id, { row }] of rows) row.hidden = !shown.has(id);
}

// Details

/** The object whose details are shown; its id is undefined if there is none. */
const open = { id: undefined, timer: undefined };

async function openDetails(id) {
  open.id = id;
  for (const part of ['title', 'log', 'log-problem']) byId(`details-${part}`).textContent = '';
  byId('log-previous').checked = false;
  byId('log-container').replaceChildren();
  byId('log-part').hidden = true;
  await showDetails(id);
  const dialog = byId('details');
  if (!dialog.open) dialog.showModal();
  await followLog();
}

async function showDetails(id) {
  const object = rows.get(id)?.object;
  const answer = await fetch(`object?id=${encodeURIComponent(id)}`);
  if (open.id !== id) return;
  const details = answer.ok ? await answer.json() : undefined;
  if (open.id !== id) return;
  if (object !== undefined) byId('details-title').textContent = titleOf(object);
  byId('details-yaml').textContent = details?.yaml ?? 'It is gone.';
  const changes = details?.changes ?? [];
  byId('details-changes').replaceChildren(...changes.map(changeRow));
  if (details?.containers) showContainers(details.containers);
}

function showContainers(names) {
  const select = byId('log-container');
  byId('log-part').hidden = false;
  if (select.options.length === names.length) return;
  select.replaceChildren(...names.map((text) => element('option', { text })));
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

/** Shows the log of the container that is chosen, and looks at it again and again until the dialog is closed. */
async function followLog() {
  clearTimeout(open.timer);
  const { id } = open;
  const container = byId('log-container').value;
  if (id === undefined || container === '') return;
  const previous = byId('log-previous').checked;
  const query = new URLSearchParams({ id, container, previous });
  const answer = await fetch(`log?${query}`).catch(() => undefined);
  const log = answer?.ok ? await answer.json() : undefined;
  const isSame = byId('log-container').value === container && byId('log-previous').checked === previous;
  if (open.id !== id || !isSame) return;
  // Once the Pod is gone, its last log stays.
  if (log !== undefined) showLog(log);
  clearTimeout(open.timer);
  open.timer = setTimeout(() => void followLog(), logInterval);
}

function showLog({ text = '', problem = '' }) {
  const lines = byId('details-log');
  const isAtEnd = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 4;
  if (lines.textContent !== text) lines.textContent = text;
  if (isAtEnd) lines.scrollTop = lines.scrollHeight;
  byId('details-log-problem').textContent =
    problem !== '' || text !== '' ? problem : 'Nothing has been written.';
}

for (const id of ['log-container', 'log-previous'])
  byId(id).addEventListener('change', () => void followLog());
byId('details').addEventListener('close', () => {
  open.id = undefined;
  clearTimeout(open.timer);
});

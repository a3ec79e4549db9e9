// Elements of the page. All text of the cluster goes into the page as text, never as HTML.

export const byId = (id) => document.getElementById(id);

export function element(name, { className, text, title } = {}, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  if (title) made.title = title;
  made.append(...children);
  return made;
}

export const span = (text, className) => element('span', { text, className });
export const nameOf = ({ namespace, name }) => (namespace === undefined ? name : `${namespace}/${name}`);
export const clock = (time) => new Date(time).toLocaleTimeString();

/**
 * Explanations of the codes of errors, in sentences: the source of docs/errors.md. Nothing that ships in an operator may import this
 * room: an operator reports codes, it does not explain them.
 */
export { renderErrorsDocument } from './document.ts';
export { explanations } from './explanations.ts';

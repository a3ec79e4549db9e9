import type { Lint } from './node.ts';

/** Words that name an amount of time. Source: the API conventions of Kubernetes, "Units". */
const amounts = new Set(['timeout', 'interval', 'delay', 'period', 'age', 'ttl', 'duration']);

/** Integers whose name says that they are a time, but not in which unit. */
export const unitLint: Lint = ({ node: { schema }, name }) => {
  if (name === undefined || (schema.type !== 'integer' && schema.type !== 'number')) return [];
  const word = /[A-Z]?[a-z]+$|[A-Z]+$/.exec(name)?.[0].toLowerCase() ?? '';
  if (!amounts.has(word)) return [];
  const message = `nobody can tell the unit of \`${name}\``;
  const fix = [`name it ${name}Seconds, or whatever the unit is`, "or make it a Duration from 'opsdk'"];
  return [{ problem: { code: 'schema/unit', message, fix } }];
};

import { expect, it } from 'vitest';
import { terminalError } from '../../../../src/index.ts';
import { isTerminalError } from '../../../../src/sdk/runtime/controller/result.ts';

const terminal = terminalError(new Error('spec.image is empty'));
const passing = new Error('no route');

it.each([
  ['all of its errors are', [terminal, new Error('outer', { cause: terminal })], true],
  ['another may succeed next time', [terminal, passing], false],
  ['it has no errors', [], false],
])('several errors as one are terminal if each is: %s', (_, errors, expected) => {
  expect(isTerminalError(new AggregateError(errors))).toBe(expected);
  expect(isTerminalError(new Error('outer', { cause: new AggregateError(errors) }))).toBe(expected);
});

it('an error that holds itself ends the search', () => {
  const error = new AggregateError([]);
  error.errors.push(error);
  error.cause = error;
  expect(isTerminalError(error)).toBe(false);
});

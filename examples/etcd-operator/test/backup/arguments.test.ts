import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentsOf, readArguments, type BackupCommand } from '../../src/backup/arguments.ts';
import { storageTypes } from '../../src/backup/storage.ts';

const text = fc.string({ minLength: 1 });
const optional = fc.option(text, { nil: undefined });
const count = fc.integer({ min: 1, max: 999_999_999 });
const common = { timeoutSeconds: count, resultFile: text };
const withStorage = {
  ...common,
  storage: fc.record({
    type: fc.constantFrom(...storageTypes),
    path: text,
    folder: text,
    endpoint: optional,
    region: optional,
    forcePathStyle: fc.constantFrom(undefined, false as const),
  }),
};
const command: fc.Arbitrary<BackupCommand> = fc.oneof(
  fc.record({
    ...withStorage,
    verb: fc.constant('save' as const),
    endpoints: fc.array(text, { minLength: 1 }),
    tlsFolder: optional,
    scheduledFor: optional,
    keep: fc.option(count, { nil: undefined }),
    workFolder: text,
  }),
  fc.record({
    ...withStorage,
    verb: fc.constant('fetch' as const),
    sha256: optional,
    file: text,
    dataDir: optional,
  }),
  fc.record({ ...common, verb: fc.constant('place' as const), file: text, dataDir: text }),
);

describe('arguments of the program', () => {
  test('say all of a command', () => {
    fc.assert(
      fc.property(command, (given) => {
        const [program, ...args] = argumentsOf(given);
        expect(program).toBe('backup');
        expect(readArguments(args)).toEqual(given);
      }),
    );
  });

  const complete = [
    'save',
    '--storage=S3',
    '--path=a/b',
    '--folder=/s',
    '--work-folder=/w',
    '--result=/r',
    '--endpoint=http://e',
  ];
  test.each([
    [['store'], 'expected save, fetch or place, got "store"'],
    [[...complete, 'more'], 'got "save more"'],
    [complete.filter((arg) => !arg.startsWith('--endpoint')), '--endpoint: expected at least one'],
    [complete.filter((arg) => !arg.startsWith('--path')), '--path: expected a value'],
    [[...complete, '--storage=FTP'], '--storage: expected S3, GCS, PVC, got "FTP"'],
    [[...complete, '--keep=0'], '--keep: expected a number of at least 1, got "0"'],
    [[...complete, '--unknown'], 'unknown'],
  ])('are refused: %j', (args, message) => {
    expect(() => readArguments(args)).toThrow(message);
  });
});

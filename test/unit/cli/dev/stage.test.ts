// Work that is repeated only when files have changed that it has seen.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Stage } from '../../../../src/cli/actions/dev/stages.ts';
import {
  lookBelow,
  changedPaths,
  mergeObservations,
  observe,
} from '../../../../src/base/util/observe-files.ts';
import { OpSdkError } from '../../../../src/base/errors/index.ts';

let folder: string;
const file = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'op-sdk-stage-'));
  writeFileSync(file('a'), 'one');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Gives the text of the file `a`; `bad` is an error. */
function stageOfA() {
  let runs = 0;
  const stage = new Stage(async (files) => {
    runs += 1;
    const text = files.readFile(file('a'));
    if (text === 'bad') throw new OpSdkError({ code: 'io/not-an-object', message: 'a is bad' });
    return text;
  });
  return { stage, runs: () => runs };
}

test('is not repeated while what it saw is the same', async () => {
  const { stage, runs } = stageOfA();
  expect(await stage.run()).toBe(true);
  writeFileSync(file('b'), 'not seen');
  expect(await stage.run()).toBe(false);
  expect([stage.value, runs()]).toEqual(['one', 1]);
  writeFileSync(file('a'), 'two');
  expect(await stage.run()).toBe(true);
  expect(stage.value).toBe('two');
});

test('has findings instead of an outcome while there are errors, and is not repeated for these either', async () => {
  const { stage, runs } = stageOfA();
  await stage.run();
  writeFileSync(file('a'), 'bad');
  await stage.run();
  await stage.run();
  expect(runs()).toBe(2);
  expect(stage.value).toBeUndefined();
  expect(stage.findings).toMatchObject([{ message: 'a is bad' }]);
  writeFileSync(file('a'), 'three');
  await stage.run();
  expect([stage.value, stage.findings]).toEqual(['three', undefined]);
});

test('fails for what is not an error of the project', async () => {
  const stage = new Stage(() => Promise.reject(new TypeError('a defect')));
  await expect(stage.run()).rejects.toThrow('a defect');
});

test('is repeated if a file changed while it was read', async () => {
  const stage = new Stage(async (files) => {
    files.readFile(file('a'));
    writeFileSync(file('a'), String(Math.random()));
    return files.readFile(file('a'));
  });
  await stage.run();
  expect(stage.seen).toBeUndefined();
  expect(await stage.run()).toBe(true);
});

test('is not repeated for what it has written itself', async () => {
  let runs = 0;
  const stage = new Stage(async (files, written) => {
    runs += 1;
    files.list(folder);
    files.readFile(file('generated/b'));
    files.directoryExists(file('generated'));
    mkdirSync(file('generated'), { recursive: true });
    writeFileSync(file('generated/b'), `of ${files.readFile(file('a'))}`);
    written(file('generated/b'));
    return files.readFile(file('generated/b'));
  });
  await stage.run();
  expect(await stage.run()).toBe(false);
  expect([stage.value, runs]).toEqual(['of one', 1]);
  writeFileSync(file('generated/b'), 'of somebody else');
  expect(await stage.run()).toBe(true);
  expect([stage.value, runs]).toEqual(['of one', 2]);
});

test('notices new, changed and deleted files of folders that it looked through, and names them', () => {
  mkdirSync(file('in/side'), { recursive: true });
  writeFileSync(file('in/side/x.yaml'), '1');
  const views = [observe(), observe()] as const;
  lookBelow(views[0].view, file('in'));
  lookBelow(views[1].view, file('missing'));
  views[1].view.readFile(file('a'));
  const seen = views.map((view) => view.observations()).filter((each) => each !== undefined);
  const all = mergeObservations(seen);
  expect(changedPaths(all)).toEqual([]);
  writeFileSync(file('in/new.yaml'), '');
  expect(changedPaths(all)).toEqual([file('in')]);
  writeFileSync(file('in/side/x.yaml'), '2');
  writeFileSync(file('a'), 'two');
  expect(changedPaths(all)).toEqual([file('a'), file('in/side/x.yaml')]);
  rmSync(file('in/side'), { recursive: true });
  expect(changedPaths(all)).toContain(file('in/side/x.yaml'));
});

test('notices a folder that appears', () => {
  const observed = observe();
  lookBelow(observed.view, file('missing'));
  mkdirSync(file('missing'));
  expect(changedPaths(observed.observations() ?? expect.fail())).toEqual([file('missing')]);
});

// `npm ci` in an example refuses a lock file that does not fit its package.json.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../helpers/source-files.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, Manifest & { readonly resolved?: string }>>;
}

const examples = join(repositoryRoot, 'examples');
const locked = readdirSync(examples).filter((name) => existsSync(join(examples, name, 'package-lock.json')));
const read = (name: string, file: string): unknown =>
  JSON.parse(readFileSync(join(examples, name, file), 'utf8'));

test.each(locked)('the lock file of %s fits its package.json, and names no registry', (name) => {
  const { dependencies, devDependencies } = read(name, 'package.json') as Manifest;
  const { packages } = read(name, 'package-lock.json') as Lock;
  expect(packages['']).toMatchObject({ dependencies, devDependencies });
  const addresses = Object.values(packages).flatMap(({ resolved }) => resolved ?? []);
  expect(addresses).toEqual(['../..']);
});

test('the examples that are whole projects have one', () => {
  expect(locked).toEqual([
    'etcd-operator',
    'flink-operator',
    'prometheus-operator',
    'rbac-manager',
    'redis-enterprise',
    'redis-operator',
    'scheduler-operator',
  ]);
});

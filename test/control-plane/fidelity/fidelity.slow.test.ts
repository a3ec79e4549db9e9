// Definitions that others published, imported and generated again: the API server takes them, and they behave as the originals do.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiSession, type ApiSession } from '../../helpers/api-session.ts';
import { sharedControlPlane } from '../../helpers/control-plane.ts';
import { customResources } from '../../helpers/custom-resources/index.ts';
import { isThorough, runs } from '../../helpers/thorough.ts';
import { varied, type Crd } from './crd.ts';
import { installKind, judge, removeKind, untilServed, type InstalledKind } from './kinds.ts';
import { readCrd, roundTrip } from './round-trip.ts';

const folder = join(import.meta.dirname, '../../../../shared/data/crds');
const isThere = existsSync(folder);
if (!isThere) console.warn(`skipped: the CRDs of others are not there (${folder})`);

describe.skipIf(!isThere)('definitions that others published', () => {
  const files = isThere ? readdirSync(folder).filter((name) => name.endsWith('.yaml')) : [];
  const pathOf = new Map(
    files.map((name) => join(folder, name)).map((path) => [readCrd(path).metadata.name, path]),
  );
  const all = [...pathOf.values()].map(readCrd);
  const originals = isThorough ? all : varied(all, runs(all.length));
  const installed: InstalledKind[] = [];
  let generated: ReadonlyMap<string, Crd>;
  let session: ApiSession;

  beforeAll(async () => {
    session = apiSession(await sharedControlPlane());
    generated = await roundTrip(originals.flatMap(({ metadata }) => pathOf.get(metadata.name) ?? []));
  }, 300_000);

  afterAll(async () => {
    await Promise.all(installed.map((kind) => removeKind(session, kind)));
    session[Symbol.dispose]();
  });

  test(
    'are all generated, and each is accepted with fieldValidation=Strict',
    { timeout: 300_000 },
    async () => {
      expect([...generated.keys()].sort()).toEqual(originals.map(({ metadata }) => metadata.name).sort());
      const path =
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldValidation=Strict';
      const answers = await Promise.all(
        [...generated.values()].map(async (crd) => {
          const { status, text } = await session.send('POST', path, crd);
          return status === 201 ? undefined : `${crd.metadata.name}: ${text}`;
        }),
      );
      expect(answers.filter((answer) => answer !== undefined)).toEqual([]);
    },
  );

  test(
    'take and refuse the same custom resources, and make the same objects of them',
    { timeout: 300_000 },
    async () => {
      const counts = { accepted: 0, refused: 0, kinds: 0 };
      const differences: unknown[] = [];
      const compare = async (original: Crd): Promise<void> => {
        const again = generated.get(original.metadata.name);
        if (again === undefined) throw new Error(`${original.metadata.name} was not generated`);
        const kinds = await Promise.all([
          installKind(session, original, 'original'),
          installKind(session, again, 'generated'),
        ]);
        installed.push(...kinds);
        for (const kind of kinds) await untilServed(session, kind);
        const served = original.spec.versions.filter(({ served }) => served);
        for (const [index, { name, schema }] of served.entries()) {
          const count = Math.floor(20 / served.length) + (index < 20 % served.length ? 1 : 0);
          await Promise.all(
            customResources(schema.openAPIV3Schema, { count, seed: index }).map(async (sample) => {
              const [expected, actual] = await Promise.all(
                kinds.map((kind) => judge(session, kind, name, sample)),
              );
              counts[expected?.status === 201 ? 'accepted' : 'refused']++;
              try {
                expect(actual).toEqual(expected);
              } catch {
                differences.push({ crd: original.metadata.name, version: name, ...sample, expected, actual });
              }
            }),
          );
        }
        counts.kinds++;
      };
      const waiting = varied(originals, runs(30));
      const worker = async (): Promise<void> => {
        for (let crd = waiting.shift(); crd !== undefined; crd = waiting.shift()) await compare(crd);
      };
      await Promise.all([worker(), worker(), worker(), worker()]);
      console.log(
        `${counts.kinds} kinds: ${counts.accepted} custom resources accepted, ${counts.refused} refused`,
      );
      expect(differences).toEqual([]);
      expect(counts.kinds).toBe(runs(30));
      expect(counts.accepted + counts.refused).toBe(runs(30) * 20);
      // With one verdict only, the comparison would say nothing.
      expect(counts.accepted).toBeGreaterThan(runs(100));
      expect(counts.refused).toBeGreaterThan(runs(100));
    },
  );
});

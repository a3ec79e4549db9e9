// The recordings with which the pretended node is compared are still those of a real kubelet. UPDATE_GOLDEN=1 writes them anew.
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { Namespace } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../../src/testing/index.ts';
import type { ClusterBed } from '../bed/cluster-bed.ts';
import { bedSide } from './bed-side.ts';
import type { Recording } from './recorder.ts';
import { readRecordings, recordingsFile } from './recordings.ts';
import { runScenario, type Side } from './run-scenario.ts';
import { scenarios } from './scenarios.ts';

const bed = inject('cluster') as ClusterBed;
const isRecording = process.env['UPDATE_GOLDEN'] === '1';

describe.skipIf(bed === undefined)('the kubelet writes the statuses of the recordings', () => {
  let side: Side;
  const recorded: Record<string, Recording> = {};

  beforeAll(async () => {
    side = await bedSide(bed);
  });
  afterAll(async () => {
    await eventually(
      async () => {
        const { items } = await side.client.list(Namespace);
        expect(items.filter(({ metadata }) => metadata.name?.startsWith('agree-'))).toEqual([]);
      },
      { timeout: '60s', interval: 500 },
    );
    await side.client.close();
    if (!isRecording) return;
    const all = { ...(Object.keys(recorded).length < scenarios.length ? readRecordings() : {}), ...recorded };
    const known = scenarios.flatMap(({ name }) => (all[name] === undefined ? [] : [[name, all[name]]]));
    writeFileSync(recordingsFile, `${JSON.stringify(Object.fromEntries(known), undefined, 2)}\n`);
  });

  for (const scenario of scenarios) {
    // A state of a busy machine may be overtaken by the next one before it is written.
    test.concurrent(scenario.name, { retry: isRecording ? 0 : 2 }, async () => {
      const first = await runScenario(side, scenario);
      // Recorded is what happens twice.
      const expected = isRecording ? await runScenario(side, scenario) : readRecordings()[scenario.name];
      expect(first).toEqual(expected);
      recorded[scenario.name] = first;
    });
  }
});

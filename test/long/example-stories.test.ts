// What `npm run example` shows of each example, against what docs/examples.md shows: `npm run test:long`. It uses dist/: build it first.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { prepareStory } from '../../scripts/examples/prepare-story.mjs';
import { stories, type Story } from '../../scripts/examples/stories.mjs';
import { tellStory } from '../../scripts/examples/storyteller.mjs';
import { createLinkedExample } from '../../scripts/lib/example-projects.mjs';
import { captureDifference, readCaptures } from '../helpers/captures.ts';

const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-stories-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

// Those with real software are told by test/sessions/examples.test.ts.
const told = Object.entries<Story>(stories).filter(([, { programs = [] }]) => programs.length === 0);

test.each(told)('%s', async (name, story) => {
  const project = join(scratch, name);
  await createLinkedExample(name, project);
  let output = '';
  const programs = await prepareStory(story, project);
  await tellStory(story, { project, programs, write: (text) => void (output += text) });
  expect(captureDifference(readCaptures().get(name) ?? '', output), output).toBeUndefined();
});

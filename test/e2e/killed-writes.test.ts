// Commands that are killed while they write a catalogue, a bundle or an image. `npm run test:long` kills each a hundred times.
import { expect, test } from 'vitest';
import { killBoth, scenes } from '../helpers/killed-writes.ts';
import { rounds } from '../helpers/rounds.ts';

test.each(scenes.map((scene) => [scene[0], scene] as const))(
  '%s, killed and repeated, is never stuck, loses nothing and ships no leftover',
  async (_command, scene) => {
    const { kills, hits } = await killBoth(scene, rounds(6), 20_260);
    expect(kills).toBe(rounds(6));
    expect(hits).toBeGreaterThan(0);
  },
);

// Each command is killed a hundred times, with times drawn from a fixed seed: `npm run test:long`.
import { expect, test } from 'vitest';
import { killBoth, scenes } from '../helpers/killed-writes.ts';
import { rounds } from '../helpers/rounds.ts';

const count = rounds(100);

test.each(scenes.map((scene) => [scene[0], scene] as const))(
  '%s, killed a hundred times and repeated, is never stuck, loses nothing and ships no leftover',
  async (command, scene) => {
    const { kills, hits } = await killBoth(scene, count, 11);
    console.log(`${command}: ${kills} kills, ${hits} of them while it wrote`);
    expect(kills).toBe(count);
    expect(hits).toBeGreaterThanOrEqual(count * 0.6);
  },
);

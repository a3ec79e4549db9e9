import { describe, expect, test } from 'vitest';
import { pushImage } from '../../../../src/images/registry/push-image.ts';
import {
  app,
  quickOptions,
  reply,
  scriptedRegistry,
  testImage,
  type Fault,
} from '../../../helpers/scripted-registry.ts';
import { tempFolder } from '../temp-folder.ts';
import { expectPushed, failure, loginsIn, secret } from './registry-client.ts';

const withLogin = loginsIn(tempFolder());

/** Each with a content of its own, and too large for a single request. */
const layersOf = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => 2_000 + index);

describe('the blobs of a push', () => {
  test('are sent four at once, and never more', async () => {
    let sending = 0;
    let most = 0;
    let waiting: (() => void)[] = [];
    const together: Fault['answer'] = async (_, response) => {
      sending += 1;
      most = Math.max(most, sending);
      response.once('finish', () => (sending -= 1));
      // The configuration is sent alone, before the layers.
      if (isConfig) isConfig = false;
      else await fourth();
      return false;
    };
    let isConfig = true;
    const fourth = (): Promise<void> =>
      new Promise((done) => {
        waiting.push(done);
        if (waiting.length < 4) return;
        for (const resume of waiting) resume();
        waiting = [];
      });
    await using registry = await scriptedRegistry({
      faults: [{ on: /^PUT .*uploads/, times: 99, answer: together }],
    });
    const image = testImage(layersOf(12));
    await pushImage(app(registry.host), image, quickOptions());
    await expectPushed(registry, image);
    expect(most).toBe(4);
  });

  test('end when one of them fails: the error is its own, and nothing is left at the registry', async () => {
    let sending = 0;
    let isConfig = true;
    const denied = reply(
      403,
      {},
      JSON.stringify({ errors: [{ code: 'DENIED', message: 'not this layer' }] }),
    );
    const onlyTheFourth: Fault['answer'] = (request, response) => {
      if (isConfig) {
        isConfig = false;
        return false;
      }
      sending += 1;
      // The others are never answered.
      if (sending < 4) return undefined;
      return denied(request, response);
    };
    await using registry = await scriptedRegistry({
      faults: [{ on: /^PUT .*uploads/, times: 99, answer: onlyTheFourth }],
    });
    const options = quickOptions();
    const error = await failure(pushImage(app(registry.host), testImage(layersOf(9)), options));
    expect(error.code).toBe('oci/denied');
    expect(error.message).toContain('not this layer');
    expect(registry.lines(/^PUT .*uploads/)).toHaveLength(5);
    expect(registry.lines(/^DELETE .*uploads/)).toHaveLength(4);
    expect(registry.lines(/^PUT .*manifests/)).toEqual([]);
    expect(options.clock.waits).toEqual([]);
  });

  test('that are the same are sent once', async () => {
    await using registry = await scriptedRegistry();
    const image = testImage(layersOf(3), { platforms: 3 });
    await pushImage(app(registry.host), image, quickOptions());
    await expectPushed(registry, image);
    expect(registry.lines(/^PUT .*uploads/)).toHaveLength(6);
    for (const { digest } of image.layers) expect(image.reads.get(digest)).toBe(1);
  });

  test('share their tokens, also a new one in place of one that has expired', async () => {
    const uses = 25;
    await using registry = await scriptedRegistry({
      guard: { kind: 'bearer', username: 'alice', password: secret, uses },
    });
    const image = testImage(layersOf(20));
    await pushImage(app(registry.host), image, withLogin(registry.host));
    await expectPushed(registry, image);
    // A token is given up only when it is used up.
    const tokens = registry.lines(/^GET \/token/).length;
    expect(tokens).toBeGreaterThan(1);
    expect(tokens).toBeLessThanOrEqual(Math.ceil(registry.lines(/^(?!GET \/token)/).length / uses) + 1);
  });
});

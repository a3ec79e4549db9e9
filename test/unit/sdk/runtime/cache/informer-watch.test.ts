import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../../../src/sdk/kube/index.ts';
import { ConfigMap } from '../kinds.ts';
import { startInformer } from './start-informer.ts';

describe('the watch', () => {
  test('is interrupted from its end until it is established again, which is a restart', async () => {
    const { informer, clock, restarts, watching, list, stop, ended } = startInformer();
    clock.advance(1000);
    expect(informer.interrupted).toBe(0);
    list('1', 'a@1');
    watching(true);
    clock.advance(300_000);
    expect(informer.interrupted).toBe(0);
    watching(false);
    watching(true);
    expect(informer.interrupted).toBe(0);
    watching(false);
    clock.advance(20_000);
    expect(informer.interrupted).toBe(20_000);
    clock.advance(5000);
    expect(informer.interrupted).toBe(25_000);
    watching(true);
    expect(informer.interrupted).toBe(0);
    expect(restarts).toEqual([301_000, 326_000]);
    stop.abort();
    await ended;
  });

  test('of an optional kind that has gone is not interrupted', async () => {
    const { informer, clock, restarts, watching, setState, list, stop, ended } = startInformer({
      isOptional: true,
    });
    list('1', 'a@1');
    watching(true);
    setState({ synced: true });
    watching(false);
    clock.advance(1000);
    expect(informer.interrupted).toBe(1000);
    const target = { verb: 'watch', resource: ConfigMap };
    const error = ApiError.fromResponse(target, 404, {}, '404 page not found\n');
    setState({ synced: false, error });
    expect(informer.isAbsent).toBe(true);
    expect(informer.interrupted).toBe(0);
    setState({ synced: true });
    watching(true);
    expect(informer.interrupted).toBe(0);
    expect(restarts).toHaveLength(1);
    stop.abort();
    await ended;
  });
});

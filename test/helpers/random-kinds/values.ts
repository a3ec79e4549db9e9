import type { Json } from '../../../src/kubernetes/objects/index.ts';
import type { Random } from '../random.ts';

/** Returns a text that is valid as a name, as the value of a label, and as a part of a path. */
export const text = (random: Random): string => random.pick(['a', 'b', 'a-b', 'x1', 'web']);

/** Returns the name of an object. */
export const objectName = (random: Random): string => random.pick(['a', 'b-c', 'x.example.com', 'web']);

export const quantity = (random: Random): Json =>
  random.pick<Json>(['1', '500m', '0.5', '1024Mi', '1Gi', '1000m', '2k', '1e3', 3, '1.5Gi']);

export const port = (random: Random): number => random.pick([80, 443, 8080, 65_535, 1]);

export const address = (random: Random): string => random.pick(['10.1.2.3', '192.168.0.1']);

/** Returns the names of labels, by themselves and with a prefix. */
export const labelKey = (random: Random): string => random.pick(['app', 'tier', 'example.com/role']);

/** Makes a list of distinct values. */
export const listOf =
  <T extends Json>(make: (random: Random) => T, most = 2, least = 1) =>
  (random: Random): T[] => {
    const found = Array.from({ length: random.integer(least, most) }, () => make(random));
    return found.filter(
      (each, index) => !found.slice(0, index).some((other) => JSON.stringify(other) === JSON.stringify(each)),
    );
  };

/** Makes one of the values. */
export const one =
  (...values: readonly Json[]) =>
  (random: Random): Json =>
    random.pick(values);

/** Values that a field of any type refuses, or takes at the edge of its range. */
export const wildTexts: readonly string[] = [
  ...['', 'A b', 'a/b', '-x', 'a.b', 'x'.repeat(64), 'x'.repeat(254), 'é', '..', '../a', '/a', '10.1.2.3'],
  ...['a_b', 'A', '1', 'a:b', '*', 'a=b', 'kubernetes.io/a', 'a//b', '::1', 'https://a/b', 'a%', '50%'],
];

export const wildNumbers: readonly number[] = [-1, 0, 1, 2, 7, 100, 65_536, 2_147_483_647, -2_147_483_648];

export const wildQuantities: readonly Json[] = ['-1', '0', '1.5', '100m', '1n', '1Ei', '-500m', 0, '9999999'];

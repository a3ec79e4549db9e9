/** How often a test repeats what depends on chance: `usual` times, or TEST_ROUNDS times where that is set. */
export function rounds(usual: number): number {
  const given = Number(process.env['TEST_ROUNDS'] ?? '');
  return Number.isInteger(given) && given > 0 ? given : usual;
}

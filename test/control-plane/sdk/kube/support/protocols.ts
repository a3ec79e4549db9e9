import { isThorough } from '../../../../helpers/thorough.ts';

type Wire = 'http2' | 'http1';

/** Both protocols in a thorough run, as in CI; elsewhere one, by default that of watches. */
export const protocols = (one: Wire = 'http2'): readonly Wire[] => (isThorough ? ['http2', 'http1'] : [one]);

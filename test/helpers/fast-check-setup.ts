import fc from 'fast-check';
import { runs } from './thorough.ts';

// The same examples in every run, so that a red run is red again; FC_SEED=<number> looks at others.
// Properties that name no number of their own look at fast-check's hundred cases in a thorough run.
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20260101), numRuns: runs(100) });

// Tests leave nothing in the cache folder of whoever runs them; those of the cache have folders of their own.
process.env['OPSDK_NO_CACHE'] = '1';

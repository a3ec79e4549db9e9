import fc from 'fast-check';

// The same examples in every run, so that a red run is red again; FC_SEED=<number> looks at others.
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20260101) });

// Tests leave nothing in the cache folder of whoever runs them; those of the cache have folders of their own.
process.env['OPSDK_NO_CACHE'] = '1';

import { defineCheck, ok, problemOf } from '../check.ts';

/** Checks that PROJECT, the kustomization of the CRDs and main have all kinds and controllers of the sources. */
export const registration = defineCheck({
  name: 'registration',
  needs: ['project', 'kinds'],
  run({ kinds }) {
    const { unregistered } = kinds;
    if (unregistered.length === 0) return ok('PROJECT, config/crd and main have all kinds and controllers');
    return { ...problemOf(unregistered, 'op-sdk generate manifests --check'), status: 'warning' };
  },
});

// Both operators must give the same answers, or the figures mean nothing.
import { deepStrictEqual } from 'node:assert/strict';
import { applyJsonPatchStep, readJsonPatchStep } from '../../dist/kubernetes/objects/json-patch.js';
import { ask } from './operators.mjs';
import { admissionReview, conversionReview, olderSite, paths, site, sizes } from './reviews.mjs';

/** @throws if one of them does not answer as the other, or not as it should */
export async function checkSameAnswers(operators, ca) {
  const both = async (path, review, view) => {
    const [ours, theirs] = await Promise.all(
      operators.map(async (operator) => view(await ask(operator, ca, path, review))),
    );
    deepStrictEqual(ours, theirs, `${path}: the operators differ`);
    return ours;
  };
  for (const routes of Object.values(sizes)) {
    const object = site(1, routes);
    const { allowed } = await both(paths.validate, admissionReview(object), verdictOf);
    deepStrictEqual(allowed, true);
    const defaulted = await both(paths.default, admissionReview(object), (response) =>
      patched(object, response),
    );
    deepStrictEqual(defaulted.spec.replicas, 2);
    deepStrictEqual(defaulted.spec.routes[1].weight, 100);
  }
  const refused = await both(paths.validate, admissionReview(brokenSite()), verdictOf);
  deepStrictEqual(refused.allowed, false);
  deepStrictEqual(refused.causes.length, 4);
  const older = [olderSite(1, sizes.small), olderSite(2, sizes.small)];
  const converted = await both(paths.convert, conversionReview(older), ({ convertedObjects, result }) => {
    deepStrictEqual(result.status, 'Success');
    return convertedObjects;
  });
  deepStrictEqual(converted[0].spec.image, site(1, sizes.small).spec.image);
}

function brokenSite() {
  const object = site(1, sizes.small);
  object.spec.replicas = 101;
  object.spec.env[0].name = '1ST';
  object.spec.routes[1].host = 'Not a host';
  object.spec.routes[2] = object.spec.routes[3];
  return object;
}

/** What of a verdict counts. controller-runtime's has further fields that are empty. */
function verdictOf({ allowed, status }) {
  const { code, reason, message, details } = status;
  return { allowed, code, reason, message, causes: details?.causes };
}

/** The object as the API server would go on with it. */
function patched(object, { allowed, patchType, patch }) {
  deepStrictEqual([allowed, patchType], [true, 'JSONPatch']);
  const operations = JSON.parse(Buffer.from(patch, 'base64').toString('utf8'));
  return operations.reduce(
    (document, operation) => applyJsonPatchStep(document, readJsonPatchStep(operation).step, structuredClone),
    structuredClone(object),
  );
}

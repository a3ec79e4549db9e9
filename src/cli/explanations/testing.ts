import type { TestingCode } from '../../base/errors/index.ts';
import type { Explanation } from './explanation.ts';

export const testingExplanations = {
  'testing/fast-check-missing': {
    title: 'The package fast-check is not installed',
    explain:
      'expectRoundTrip generates objects with fast-check, which it does not bring: only projects with conversions need it. Install it with `npm install --save-dev fast-check`.',
  },
  'testing/no-schema': {
    title: 'The schema of a version that is converted was not found',
    explain:
      'expectRoundTrip generates objects from the schemas in config/crd/bases, or in the files that `crds` names. Hub and spokes must all be versions of the CustomResourceDefinition there: run `op-sdk generate manifests`.',
  },
  'testing/no-valid-objects': {
    title: 'No object could be generated that a schema allows',
    explain:
      'Objects are generated field by field, and those that the schema as a whole refuses, or `where` does, are thrown away. If nearly all are, the schema combines fields in a way that chance does not meet. Narrow such fields for the test, or test the conversion with objects of your own.',
  },
  'testing/round-trip-failed': {
    title: 'A conversion loses or changes data',
    explain:
      'The error shows the smallest object that was found, what it was converted to, and where it differs afterwards. Run the test with the `seed` of the message to see the same failure again. Fields that may be lost belong to `lossy`.',
  },
} satisfies Readonly<Record<TestingCode, Explanation>>;

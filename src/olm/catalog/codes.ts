import type { ExplainedCodes } from '../../base/errors/index.ts';

export const catalogCodes = {
  'catalog/no-schema': {
    title: 'A document of the catalogue has no schema',
    explain:
      'Every document of a file-based catalogue says by `schema` what it is: olm.package, olm.channel, olm.bundle, olm.deprecations, or a schema of your own. All files below the folder are read, unless .indexignore lists them.',
  },
  'catalog/field-case': {
    title: 'A field of the catalogue has another case',
    explain:
      "OLM's tools read fields whatever their case is, other readers do not. Write names as the format has them.",
  },
  'catalog/invalid-field': {
    title: 'A field of the catalogue has another type',
    explain: 'OLM refuses a catalogue with a value of another type than the format has at that place.',
  },
  'catalog/unexpected-file': {
    title: 'Something in the catalogue is not a plain file',
    explain:
      'A catalogue is made of regular files below one folder. Links to places outside of it and special files would not be in its image.',
  },
  'catalog/empty': {
    title: 'The catalogue holds nothing',
    explain: 'There are no documents to read, or none of those that were asked for.',
  },
  'catalog/no-package': {
    level: 'warning',
    title: 'The catalogue holds no package',
    explain:
      'A warning of `op-sdk catalog validate`. OLM finds nothing to install in a catalogue without a document of the schema olm.package; a template becomes a catalogue by `op-sdk catalog render`. Such a catalogue is neither built nor pushed.',
  },
  'catalog/unknown-schema': {
    level: 'warning',
    title: 'A schema of the catalogue is unknown',
    explain:
      'A warning. OLM ignores documents of schemas that it does not know, so one with a slip in its schema is missing for it. Templates of opm (olm.template.basic, olm.semver) are rendered by `op-sdk catalog render`. A schema of your own begins otherwise than with olm.',
  },
  'catalog/missing-name': {
    title: 'A name is missing in the catalogue',
    explain: 'Channels, their entries and bundles are known by their names.',
  },
  'catalog/package-name': {
    title: 'The name of a package is invalid',
    explain:
      'Packages are named by DNS labels: up to 63 lower-case letters, digits and dashes, with a letter or digit first and last.',
  },
  'catalog/unknown-package': {
    title: 'A document belongs to a package that the catalogue does not have',
    explain: 'Channels, bundles and deprecations name by `package` a document of the schema olm.package.',
  },
  'catalog/duplicate': {
    title: 'Something is in the catalogue twice',
    explain:
      'Names are unique: those of packages in the catalogue, of channels and bundles in a package, of entries in a channel. A package has one document of deprecations.',
  },
  'catalog/default-channel': {
    title: 'The default channel of a package is missing',
    explain:
      '`defaultChannel` names the channel that is used when a subscription names none. It must be a channel of the package.',
  },
  'catalog/no-channel': {
    title: 'A package has no channel',
    explain: 'Bundles are installed from channels, so a package needs at least one.',
  },
  'catalog/empty-channel': {
    title: 'A channel has no entries',
    explain: 'A channel lists at least one version of the operator.',
  },
  'catalog/entry-without-bundle': {
    title: 'A channel lists a bundle that the package does not have',
    explain:
      'Each entry of a channel has the name of a document of the schema olm.bundle in the same package. Names in replaces and skips need no bundle.',
  },
  'catalog/bundle-not-in-channel': {
    title: 'A bundle is in no channel',
    explain: 'Nobody could install the bundle. OLM refuses the catalogue.',
  },
  'catalog/bundle-name': {
    title: 'The name of a bundle does not fit its release',
    explain: 'A bundle whose property olm.package has a release is named <package>-v<version>-<release>.',
  },
  'catalog/invalid-property': {
    title: 'A property of a bundle in the catalogue is invalid',
    explain:
      'Every property has a type and a value; those of operator-framework have fields of their own. A bundle has exactly one property olm.package, with the name of its package.',
  },
  'catalog/invalid-image': {
    title: 'The catalogue names an image that is none',
    explain:
      'A bundle has an image, and the images of the bundle and of relatedImages are names as container tools read them.',
  },
  'catalog/invalid-version': {
    title: 'The version of a bundle is invalid',
    explain:
      'Versions are those of Semantic Versioning 2.0.0, whole. A release has the form of a pre-release, up to 20 characters, and excludes build metadata in the version.',
  },
  'catalog/duplicate-version': {
    title: 'Two bundles of a package have the same version',
    explain: 'OLM orders the bundles of a package by their versions, so each has a version of its own.',
  },
  'catalog/invalid-skip': {
    title: 'A channel skips something that is not a version',
    explain: '`skips` lists names of bundles, `skipRange` is a range such as ">=1.0.0 <1.2.0".',
  },
  'catalog/invalid-deprecation': {
    title: 'A deprecation is invalid',
    explain:
      'An entry of olm.deprecations has a message and refers to the package itself, without a name, or to one of its channels or bundles, once.',
  },
  'catalog/invalid-template': {
    title: 'A template of a catalogue is invalid',
    explain:
      'A template of the schema olm.template.basic lists documents below entries; of its bundles it has the schema and the image only. One of the schema olm.semver lists images of bundles below candidate, fast and stable: all of them belong to one package; versions of one list differ by more than build metadata.',
  },
  'catalog/not-renderable': {
    title: 'Something cannot be a part of a catalogue',
    explain:
      'Catalogues are made from folders and images of bundles, from catalogues in folders, files and images, and from templates of the schemas olm.template.basic and olm.semver. A bundle in a folder needs the name of its image beside it.',
  },
  'catalog/no-head': {
    title: 'A channel has no newest version',
    explain:
      'The newest version, the head of the channel, is the entry that no other replaces or skips. Here all of them are replaced or skipped, in a circle.',
  },
  'catalog/several-heads': {
    title: 'A channel has several newest versions',
    explain:
      'A channel has exactly one entry that no other replaces or skips. With several of them OLM would not know which to install, and refuses the catalogue.',
  },
  'catalog/update-cycle': {
    title: 'The updates of a channel form a circle',
    explain: 'Followed from the newest version, `replaces` leads back to a version that was there before.',
  },
  'catalog/unreachable-version': {
    title: 'A version is beside the updates of its channel',
    explain:
      'Every entry is replaced, step by step, by the newest version, or is skipped by name. A skipRange alone is not enough for OLM, which refuses the catalogue.',
  },
  'catalog/update-loop': {
    level: 'warning',
    title: 'Updates lead back to where they began',
    explain:
      'A warning. By skips, or by a skipRange that covers newer versions, a cluster could be updated to an older version, and from there to the newer one again.',
  },
  'catalog/hidden-version': {
    level: 'warning',
    title: 'A skipRange hides a version',
    explain:
      'A warning. OLM offers the newest update. Where a skipRange covers all versions from which another one would be reached, but not that one, nobody is ever updated to it.',
  },
} satisfies ExplainedCodes;

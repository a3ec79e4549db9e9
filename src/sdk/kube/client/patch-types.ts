/** The content types of the three kinds of patch beside an apply. */
export const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** The content type of a server-side apply. */
export const applyPatch = 'application/apply-patch+yaml';

// Whether two sets of CRDs say the same fields of the same types: that what is measured is the same work.

/** Every field of a schema as `path: type`. */
function fieldsOf(schema, path, into) {
  // controller-gen drops what is below the metadata of a template, unless a flag says otherwise.
  if (/[tT]emplate\.metadata$/.test(path)) return into;
  into.add(`${path}: ${schema['x-kubernetes-int-or-string'] ? 'int-or-string' : (schema.type ?? 'any')}`);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (path !== '' || !['apiVersion', 'kind', 'metadata'].includes(name))
      fieldsOf(property, `${path}.${name}`, into);
  }
  if (schema.items) fieldsOf(schema.items, `${path}[]`, into);
  if (typeof schema.additionalProperties === 'object')
    fieldsOf(schema.additionalProperties, `${path}{}`, into);
  return into;
}

/** What one set has and the other lacks: kinds, versions, fields, printer columns. */
export function differences(theirs, ours) {
  const describe = (crd) =>
    crd.spec.versions.map((version) => [
      `${crd.metadata.name}/${version.name}`,
      new Set([
        ...fieldsOf(version.schema.openAPIV3Schema, '', new Set()),
        ...(version.additionalPrinterColumns ?? []).map(({ name, type }) => `column ${name}: ${type}`),
      ]),
    ]);
  const [a, b] = [new Map(theirs.flatMap(describe)), new Map(ours.flatMap(describe))];
  const lines = [];
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const [left, right] = [a.get(name) ?? new Set(), b.get(name) ?? new Set()];
    for (const item of left) if (!right.has(item)) lines.push(`${name}: only controller-gen has ${item}`);
    for (const item of right) if (!left.has(item)) lines.push(`${name}: only op-sdk has ${item}`);
  }
  return lines;
}

const order = { apiVersion: 'shop.example.com/v1', kind: 'Order' };
const cases = {
  base: { ...order, spec: { amount: 3 } },
  valid: [{ name: 'a', object: { spec: {} }, stored: { spec: { minimum: 1 } }, pruned: ['spec.note'] }],
  invalid: [{ name: 'b', object: {}, field: 'spec.amount', message: 'x' }],
  update: [{ name: 'c', from: {}, to: { spec: { amount: 5 } }, field: 'spec.amount', message: 'y' }],
};

/** Files of cases for CustomResourceDefinitions, which editors and op-sdk read alike. */
export const caseDocuments = {
  whole: cases,
  accepted: [
    ...[{}, { base: order }, { base: null, valid: null }, { ...cases, update: [{ name: 'c', to: {} }] }],
    { valid: [{ name: 'a', object: order }] },
    { base: order, update: [{ name: 'c', to: {}, stored: { spec: {} } }] },
    ...[null, [], undefined].map((valid) => ({ ...cases, valid })),
    ...[null, [], undefined].map((update) => ({ ...cases, update })),
    ...[undefined, null, []].map((pruned) => ({ base: order, valid: [{ name: 'a', object: {}, pruned }] })),
    ...[undefined, null, {}].map((stored) => ({ base: order, valid: [{ name: 'a', object: {}, stored }] })),
  ],
  refused: [
    ...[[], 'a', { ...cases, more: [] }, { ...cases, valid: {} }, { ...cases, base: [] }],
    ...[
      { base: order, valid: [{ object: {} }] },
      { base: order, valid: [{ name: 'a' }] },
    ],
    ...[
      { base: order, update: [{ name: 'c' }] },
      { base: order, invalid: [{ name: ' ', object: {}, field: 'a' }] },
    ],
    ...[{ base: order, valid: [{ name: 'a', object: {}, field: 'spec' }] }],
    ...[{ base: order, valid: [{ name: 'a', object: {}, pruned: [5] }] }],
    ...[5, '', ' '].map((field) => ({ base: order, invalid: [{ name: 'a', object: {}, field }] })),
    ...[[], 'a', 5].map((object) => ({ base: order, valid: [{ name: 'a', object }] })),
  ],
  refusedByReader: [
    // The kind of an object is that of base, or its own.
    ...[
      { valid: [{ name: 'a', object: {} }] },
      { base: { kind: 'Order' }, valid: [{ name: 'a', object: {} }] },
    ],
    { base: order, update: [{ name: 'c', to: { kind: 'Other' } }] },
    // A refusal is for a reason, and stores nothing.
    ...[{ base: order, invalid: [{ name: 'b', object: {} }] }],
    { base: order, update: [{ name: 'c', to: {}, field: 'spec', stored: {} }] },
  ],
  // Cases without a base have their kinds themselves.
  changesRefusedByReader: [
    ...['base = null', 'base = {}', 'base = {"x":5}', 'without base'],
    ...['without base.apiVersion', 'without base.kind'],
  ],
};

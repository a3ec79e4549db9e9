import type ts from 'typescript';
import { ownerName, type ClientCall } from '../rbac/infer/find-calls.ts';
import {
  bare,
  symbolAt,
  usesOfOwnFunction,
  wrapped,
  type InferContext,
} from '../rbac/infer/infer-context.ts';

interface TextUse {
  readonly expression: ts.Expression;
  /**
   * Returns true if the text really belongs to an Event or a condition. Call it only if there is something to report, because the
   * computation of types is slow.
   */
  readonly confirm: () => boolean;
}

/** Use of a text by which programs recognize an Event or a condition. */
export interface NameUse extends TextUse {
  readonly role: 'event reason' | 'event action' | 'condition reason' | 'condition type';
}

/** Use of a text for people: the note of an Event, or the message of a condition. */
export interface ProseUse extends TextUse {
  readonly role: 'event note' | 'condition message';
}

interface TextUses {
  readonly names: readonly NameUse[];
  readonly prose: readonly ProseUse[];
}

/** Names of the methods of `ConditionList` that set a condition. */
const setters = ['true', 'false', 'unknown'] as const;

/** Properties of an object literal, by their names. */
type Members = ReadonlyMap<string, ts.Expression>;

/**
 * Finds the texts with which a project describes Events and conditions: arguments of the recorder, of `conditionsOf` and of
 * `operatorCondition`, and object literals of conditions and Events.
 * @param calls all calls of client methods and of recorders
 */
export function findTextUses(context: InferContext, calls: readonly ClientCall[]): TextUses {
  const found = new Finder(context);
  for (const { call, need } of calls) if (need.type === 'event') found.addEvent(call);
  for (const { arguments: parts } of usesOfOwnFunction(context, 'conditionsOf').calls)
    found.addTypes(parts[1]);
  for (const setter of setters) {
    for (const node of context.index.names.get(setter) ?? []) {
      const [type, reason, message] = methodCall(context, node)?.arguments ?? [];
      found.addCondition({ type, reason, message }, () => isMethodOf(context, node, 'ConditionList'));
    }
  }
  // `set` is a frequent name, and only this function makes an OperatorCondition.
  if (context.index.names.has('operatorCondition')) {
    for (const node of context.index.names.get('set') ?? []) {
      const [type, , reason, message] = methodCall(context, node)?.arguments ?? [];
      found.addCondition({ type, reason, message }, () => isMethodOf(context, node, 'OperatorCondition'));
    }
  }
  for (const node of context.index.names.get('reason') ?? []) found.addLiteral(node);
  return found;
}

interface ConditionTexts {
  readonly type: ts.Expression | undefined;
  readonly reason: ts.Expression | undefined;
  readonly message: ts.Expression | undefined;
}

class Finder implements TextUses {
  readonly names: NameUse[] = [];
  readonly prose: ProseUse[] = [];
  readonly #context: InferContext;

  constructor(context: InferContext) {
    this.#context = context;
  }

  addEvent({ arguments: [reason, note, options] }: ts.CallExpression): void {
    const { ts } = this.#context.source;
    const action =
      options && ts.isObjectLiteralExpression(options) ? this.#members(options).get('action') : undefined;
    this.#add('event reason', reason);
    this.#add('event action', action);
    this.#addProse('event note', note);
  }

  /** Adds the list of the types that a controller owns. */
  addTypes(list: ts.Expression | undefined): void {
    const { ts } = this.#context.source;
    const node = list && bare(this.#context, list);
    if (node !== undefined && ts.isArrayLiteralExpression(node)) {
      for (const item of node.elements) this.#add('condition type', item);
    } else if (node !== undefined && ts.isIdentifier(node)) {
      const declaration = symbolAt(this.#context, node)?.valueDeclaration;
      const isVariable = declaration !== undefined && ts.isVariableDeclaration(declaration);
      const initializer = isVariable ? declaration.initializer : undefined;
      const value = initializer && bare(this.#context, initializer);
      if (value !== undefined && ts.isArrayLiteralExpression(value)) this.addTypes(value);
    }
  }

  /** Adds a condition with a type and a reason. */
  addCondition({ type, reason, message }: ConditionTexts, confirm: () => boolean): void {
    if (reason === undefined) return;
    this.#add('condition type', type, confirm);
    this.#add('condition reason', reason, confirm);
    this.#addProse('condition message', message, confirm);
  }

  /** Adds the object literal of a condition or of an Event that has this `reason`. */
  addLiteral(name: ts.Identifier | ts.PrivateIdentifier): void {
    const { ts } = this.#context.source;
    const { parent } = name;
    if (!ts.isPropertyAssignment(parent) && !ts.isShorthandPropertyAssignment(parent)) return;
    if (parent.name !== name || !ts.isObjectLiteralExpression(parent.parent)) return;
    const members = this.#members(parent.parent);
    const reason = members.get('reason');
    if (members.has('regarding') || members.has('involvedObject')) {
      this.#add('event reason', reason);
      this.#add('event action', members.get('action'));
      this.#addProse('event note', members.get('note') ?? members.get('message'));
    } else if (members.has('type') && members.has('status')) {
      const literal = parent.parent;
      const texts = { type: members.get('type'), reason, message: members.get('message') };
      this.addCondition(texts, () => this.#isCondition(literal, members));
    }
  }

  /** Returns true if an object literal with a type, a status and a reason is a condition. */
  #isCondition(literal: ts.ObjectLiteralExpression, members: Members): boolean {
    if (members.has('lastTransitionTime')) return true;
    const expected = this.#context.source.checker.getContextualType(literal);
    return expected?.getProperty('lastTransitionTime') !== undefined;
  }

  #members({ properties }: ts.ObjectLiteralExpression): Members {
    const { ts } = this.#context.source;
    return new Map(
      properties.flatMap((member): readonly [string, ts.Expression][] => {
        if (ts.isShorthandPropertyAssignment(member)) return [[member.name.text, member.name]];
        return ts.isPropertyAssignment(member) && ts.isIdentifier(member.name)
          ? [[member.name.text, member.initializer]]
          : [];
      }),
    );
  }

  #add(role: NameUse['role'], expression: ts.Expression | undefined, confirm = always): void {
    if (expression !== undefined && !this.#context.source.ts.isSpreadElement(expression))
      this.names.push({ role, expression, confirm });
  }

  #addProse(role: ProseUse['role'], expression: ts.Expression | undefined, confirm = always): void {
    if (expression !== undefined && !this.#context.source.ts.isSpreadElement(expression))
      this.prose.push({ role, expression, confirm });
  }
}

const always = (): boolean => true;

/** Returns the call of the method with this name; undefined if the name is used in another way. */
function methodCall(
  context: InferContext,
  name: ts.Identifier | ts.PrivateIdentifier,
): ts.CallExpression | undefined {
  const { ts } = context.source;
  const access = name.parent;
  if (!ts.isPropertyAccessExpression(access) || access.name !== name) return undefined;
  const callee = wrapped(context, access);
  return ts.isCallExpression(callee.parent) && callee.parent.expression === callee
    ? callee.parent
    : undefined;
}

function isMethodOf(context: InferContext, name: ts.Node, owner: string): boolean {
  return (symbolAt(context, name)?.declarations ?? []).some((each) => ownerName(context, each) === owner);
}

import type ts from 'typescript';
import { formatWhere, type Finding } from '../../../base/errors/index.ts';
import {
  conditionReasonFormat,
  conditionTypeFormat,
  eventNameFormat,
  hasFormat,
  type NameFormat,
} from '../../../sdk/api/index.ts';
import type { SourcePlace } from '../../schema/index.ts';
import type { ClientCall } from '../rbac/infer/find-calls.ts';
import { at, bare, type InferContext } from '../rbac/infer/infer-context.ts';
import { findTextUses, type NameUse, type ProseUse } from './find-names.ts';
import { findPassing } from './passing-parts.ts';
import { shownPart, textValues, type ConstantText } from './text-values.ts';

/** A finding about a text of an Event or a condition. */
interface ReasonFinding {
  readonly finding: Finding;
  /** Places of the text and of its use. An `@allow` may be above either of them. */
  readonly places: readonly SourcePlace[];
}

interface Role {
  /** Name in messages. */
  readonly name: string;
  readonly format: NameFormat;
  readonly example: string;
  /** Consequence of a name with another format. */
  readonly refusal: string;
  /** Name of the text for people that may vary instead. */
  readonly prose: string;
}

const ofConditions = { prose: 'message', refusal: 'the API server refuses the condition' };
const ofEvents = { format: eventNameFormat, prose: 'note', refusal: 'the Event is not written' };

const roles: Readonly<Record<NameUse['role'], Role>> = {
  'event reason': { name: 'reason of an Event', example: 'ScaleFailed', ...ofEvents },
  'event action': { name: 'action of an Event', example: 'Scale', ...ofEvents },
  'condition reason': {
    name: 'reason of a condition',
    format: conditionReasonFormat,
    example: 'PodsNotReady',
    ...ofConditions,
  },
  'condition type': {
    name: 'type of a condition',
    format: conditionTypeFormat,
    example: 'Ready',
    ...ofConditions,
  },
};

/**
 * Warns of reasons, actions and condition types that vary or are not CamelCase, and of texts that change at each run. Sources: Kubernetes
 * API conventions, "Typical status properties" and "Events".
 * @param calls all calls of client methods and of recorders
 */
export function lintReasons(context: InferContext, calls: readonly ClientCall[]): readonly ReasonFinding[] {
  const { names, prose } = findTextUses(context, calls);
  return [
    ...names.flatMap((use) => (isPlain(context, use) || !use.confirm() ? [] : judgeName(context, use))),
    ...prose.flatMap((use) => {
      const findings = judgeProse(context, use);
      return findings.length === 0 || !use.confirm() ? [] : findings;
    }),
  ];
}

/** Returns true for a literal with the right format. Most names are such literals, which need no computation of types. */
function isPlain(context: InferContext, { role, expression }: NameUse): boolean {
  const node = bare(context, expression);
  return context.source.ts.isStringLiteralLike(node) && judgeFormat(role, node.text) === undefined;
}

function judgeName(context: InferContext, use: NameUse): readonly ReasonFinding[] {
  const { constants, varying } = textValues(context, use.expression);
  const used = at(context, use.expression);
  const { name, example, prose } = roles[use.role];
  const isType = use.role === 'condition type';
  const code = isType ? 'manifests/varying-condition-type' : 'manifests/varying-reason';
  const ofVarying = varying.map((text): ReasonFinding => {
    const where = at(context, text.node);
    return {
      places: [where, used],
      finding: {
        code,
        message: `${name}${usedAt(where, used)}: expected a constant in CamelCase, got ${shownPart(text)}`,
        where,
        fix: [
          isType
            ? `name one constant, such as '${example}', and put what varies into the reason or the message`
            : `name one constant for each category of cause, such as '${example}', and put what varies into the ${prose}`,
          "if it has a few values only, declare its type as a union of them: 'QuotaExceeded' | 'ImageMissing'",
          allowFix(code),
        ],
      },
    };
  });
  return [...ofVarying, ...badFormats(context, use, constants, used)];
}

function badFormats(
  context: InferContext,
  { role }: NameUse,
  constants: readonly ConstantText[],
  used: SourcePlace,
): readonly ReasonFinding[] {
  const bad = new Map<ts.Node, ConstantText[]>();
  for (const constant of constants) {
    if (judgeFormat(role, constant.text) !== undefined)
      bad.set(constant.node, [...(bad.get(constant.node) ?? []), constant]);
  }
  const { name, format, example, refusal } = roles[role];
  return [...bad].map(([node, texts]): ReasonFinding => {
    const where = at(context, node);
    const refused = texts.some(({ text }) => judgeFormat(role, text) === 'refused');
    const shown = texts.slice(0, 3).map(({ text }) => JSON.stringify(text));
    const more = texts.length > shown.length ? ` and ${texts.length - shown.length} more` : '';
    return {
      places: [where, used],
      finding: {
        code: 'manifests/reason-format',
        message: `${name}${usedAt(where, used)}: expected CamelCase of 1 to ${format.longest} characters, got ${shown.join(', ')}${more}${refused ? `: ${refusal}` : ''}`,
        where,
        fix: [
          `write it like ${example}${role.endsWith('reason') ? '; sentences belong into the text beside it' : ''}`,
          allowFix('manifests/reason-format'),
        ],
      },
    };
  });
}

/**
 * Judges a name of an Event or a condition.
 * @returns `refused` for a name that is never written; `unusual` for one that the API server accepts and the API conventions do not
 */
export function judgeFormat(role: NameUse['role'], text: string): 'refused' | 'unusual' | undefined {
  if (!hasFormat(text, roles[role].format)) return 'refused';
  // A condition type may have a DNS subdomain in front, which has no capitals.
  return /^[A-Z]/.test(text.slice(text.indexOf('/') + 1)) ? undefined : 'unusual';
}

function judgeProse(context: InferContext, { role, expression }: ProseUse): readonly ReasonFinding[] {
  const isNote = role === 'event note';
  const subject = isNote ? 'note of an Event' : 'message of a condition';
  const effect = isNote
    ? 'equal Events are counted as one, and different ones are limited to 25 for an object'
    : 'each reconcile writes the status again';
  return findPassing(context, expression).map(({ node, problem, fix }): ReasonFinding => {
    const where = at(context, node);
    return {
      places: [where, at(context, expression)],
      finding: {
        code: 'manifests/changing-message',
        message: `${subject}: expected a text that is the same while nothing changes, got ${problem}: ${effect}`,
        where,
        fix: [fix, allowFix('manifests/changing-message')],
      },
    };
  });
}

/** Returns the place of a use, if it is in another line than the text. */
function usedAt(where: SourcePlace, used: SourcePlace): string {
  return where.file === used.file && where.line === used.line ? '' : ` (${formatWhere(used)})`;
}

function allowFix(code: string): string {
  return `or, if this is intended, say why above this line: /** @allow ${code} … */`;
}

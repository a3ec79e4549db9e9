import type { WireResponse } from '../../sdk/net/wire.ts';

/** Body of a refusal. */
export interface ErrorBody {
  /** The codes of the distribution specification, in upper case, such as `DENIED`. */
  readonly codes: readonly string[];
  /** The server's words; empty if it has none. */
  readonly text: string;
}

/** More is not read: nobody reads pages of an error. */
const longest = 64 * 1024;

/** So much of a page is searched for its words, in characters. The search takes time by the square of it. */
const longestPage = 8 * 1024;

/** Reads the beginning of a body, of whatever length it is. A body that is cut is as long as it is. */
export async function readStart(response: WireResponse, limit = longest): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body) {
      parts.push(part);
      size += part.length;
      if (size >= limit) break;
    }
  } catch {
    // The status has already said what matters.
  }
  return Buffer.concat(parts).subarray(0, limit);
}

/**
 * Understands the body of an error, whatever its Content-Type claims: the specification's JSON, other JSON of proxies and token
 * servers, a page of HTML, plain text, or nothing.
 */
export function parseErrorBody(body: string): ErrorBody {
  const json = parseJson(body);
  if (json === undefined) return { codes: [], text: plainText(body.slice(0, longestPage)) };
  const { errors, message, error, error_description: description, details } = json;
  const list = Array.isArray(errors) ? errors.filter(isRecord) : isRecord(error) ? [error] : [];
  const codes = list.flatMap(({ code }) => (typeof code === 'string' ? [code.toUpperCase()] : []));
  const texts = list.flatMap((each) => {
    const detail = typeof each['detail'] === 'string' ? each['detail'] : detailOf(each['detail']);
    return [[each['message'], detail].filter((part) => typeof part === 'string' && part !== '').join(': ')];
  });
  const others = [message, description, typeof error === 'string' ? error : undefined, details];
  const other = others.find((each): each is string => typeof each === 'string' && each !== '');
  const text = [...new Set(texts.filter((each) => each !== ''))].join('; ');
  return { codes, text: text === '' ? (other ?? codes.join(', ')) : text };
}

/** Details are whatever a server likes; short ones help. */
function detailOf(detail: unknown): string | undefined {
  if (!isRecord(detail) && !Array.isArray(detail)) return undefined;
  const text = JSON.stringify(detail);
  return text.length > 2 && text.length <= 200 ? text : undefined;
}

function plainText(body: string): string {
  if (!/<\/?[a-z!][^<>]*>/i.test(body)) return body.trim();
  const title = /<title[^>]*>([\s\S]*?)<\/title>/i.exec(body)?.[1];
  const heading = /<h1[^>]*>([\s\S]*?)<\/h1>/i.exec(body)?.[1];
  return (title ?? heading ?? body)
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function parseJson(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

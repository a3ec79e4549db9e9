import { script } from '@bomb.sh/tab';
import type { shells } from '../flags/words.ts';
import { printed } from './printed.ts';

type Shell = (typeof shells)[number];

/** Name of the program, which users type and the script calls. */
const program = 'op-sdk';

/** Returns the completion script, with which a shell calls `op-sdk complete` on TAB. */
export function shellScript(shell: Shell): string {
  const text = printed(() => script(shell, program, program)).join('\n');
  return `${(shell === 'bash' ? forEveryBash(text) : text).trimEnd()}\n`;
}

/** Shell code that replaces bash-completion if it is not installed. The code joins words that bash splits at `=`. */
const wordsFallback = `
# Without bash-completion.
if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref() {
        local line="\${COMP_LINE:0:COMP_POINT}"
        read -ra words <<< "$line"
        if [[ "$line" == *[[:space:]] ]]; then words+=(''); fi
        cword=$((\${#words[@]} - 1))
        cur="\${words[cword]}"
        prev="\${words[cword > 0 ? cword - 1 : 0]}"
    }
fi
`;

/**
 * Corrects three defects of the completion library's script for bash: its constants cause errors if it is sourced twice, or together with
 * another program that uses the library; it requires bash-completion; and it completes no values after `--flag=`.
 */
function forEveryBash(text: string): string {
  const replace =
    (from: string, to: string) =>
    (all: string): string => {
      if (!all.includes(from)) throw new Error(`expected the completion script for bash to contain: ${from}`);
      return all.replaceAll(from, to);
    };
  return [
    replace('\nreadonly ', '\n'),
    replace(
      '# Function to handle completions\n',
      `${wordsFallback.trimStart()}\n# Function to handle completions\n`,
    ),
    replace('-W "${completions[*]}" -- "$cur"', '-W "${completions[*]}" -- "${cur#--*=}"'),
  ].reduce((all, change) => change(all), text);
}

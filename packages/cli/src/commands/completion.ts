import { Argument, type Command } from 'commander'

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options')
    .addArgument(new Argument('<shell>', 'name of the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', '\nbash and zsh: eval "$(wharf completion bash)"\nfish: wharf completion fish | source')
    .action((shell: 'bash' | 'zsh' | 'fish') => console.log(SCRIPTS[shell](listWords(program))))
}

/** The words that can follow each command, by its path. */
function listWords(command: Command, path = ''): [path: string, words: string[]][] {
  const children = command.commands.filter(({ _hidden }: Command & { _hidden?: boolean }) => !_hidden)
  const words = [...children.map((child) => child.name()), ...command.options.flatMap(({ long }) => long ?? [])]
  return [[path, words], ...children.flatMap((child) => listWords(child, `${path} ${child.name()}`.trim()))]
}

const toCases = (words: [string, string[]][]) =>
  words.map(([path, list]) => `    "${path}") choices="${list.join(' ')}" ;;`).join('\n')

/** The longest path of commands that was typed decides; other words are arguments. */
const buildLookup = (words: [string, string[]][], typedWords: string): string => `  local typed="" choices="" word
  for word in ${typedWords}; do
    case "$word" in -*) ;; *) typed="\${typed:+$typed }$word" ;; esac
  done
  while :; do
    case "$typed" in
${toCases(words)}
    esac
    [ -n "$choices" ] || [ -z "$typed" ] && break
    case "$typed" in *" "*) typed="\${typed% *}" ;; *) typed="" ;; esac
  done`

const SCRIPTS = {
  bash: (words: [string, string[]][]): string => `_wharf() {
${buildLookup(words, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  COMPREPLY=($(compgen -W "$choices" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _wharf wharf`,
  zsh: (words: [string, string[]][]): string => `_wharf() {
${buildLookup(words, `"\${words[@]:1:$((CURRENT-2))}"`)}
  compadd -- \${=choices}
  [ -z "$typed" ] || _files
}
(( $+functions[compdef] )) || { autoload -U compinit && compinit }
compdef _wharf wharf`,
  fish: (words: [string, string[]][]): string =>
    words
      .flatMap(([path, list]) =>
        list.map((word) => {
          const last = path.split(' ').at(-1)
          const condition = path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${last}`
          return word.startsWith('--')
            ? `complete -c wharf -n '${condition}' -l ${word.slice(2)}`
            : `complete -c wharf -f -n '${condition}' -a ${word}`
        }),
      )
      .join('\n'),
}

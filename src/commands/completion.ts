/** Both shells ask the command itself what may come next. Its last argument is the word that is being typed. */
const scripts = {
  bash: `_gatehouse () {
  COMPREPLY=($(gatehouse --complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null))
}
complete -o default -F _gatehouse gatehouse
`,
  zsh: `#compdef gatehouse
_gatehouse () {
  compadd -- \${(f)"$(gatehouse --complete "\${(@)words[2,CURRENT]}" 2> /dev/null)"} || _files
}
compdef _gatehouse gatehouse
`
}

export async function completion (_options: object, shell: keyof typeof scripts): Promise<void> {
  process.stdout.write(scripts[shell])
}

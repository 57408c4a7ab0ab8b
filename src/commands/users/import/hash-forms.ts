/** Whether a text is a hash of some system rather than a password. bcrypt's are, too. */
export const isHash = (text: string): boolean => FORMS.some(form => form.test(text))

const FORMS = [
  // LDAP, Dovecot and Spring; crypt, also of a locked account; Drupal, Nextcloud.
  /^\{[\w.-]+\}/, /^!*\$[\w-]+\$/, /^(U|\d\|)\$/,
  // Django, and its mark of no password; Werkzeug, Passlib, Ansible.
  /^(pbkdf2\w*|argon2\w*|bcrypt\w*|scrypt|crypt|md5|unsalted_\w+|s?sha\d*)[$:]/i, /^![A-Za-z\d]{40}$/,
  // MySQL; PostgreSQL; digests in hexadecimal, perhaps with a salt behind it; SQL Server.
  /^\*[\dA-F]{40}$/i, /^(md5[\da-f]{32}$|SCRAM-SHA-)/i,
  /^(0x)?[\da-f]{32}([\da-f]{8}|[\da-f]{24}|[\da-f]{32})?([:$].*)?$/i,
  /^[\da-f]{96}([\da-f]{32})?([:$].*)?$/i, /^0x0[12]00[\da-f]{40,}$/i,
  // Digests in Base64: MD5, SHA-1, SHA-256, SHA-384, SHA-512. ASP.NET.
  /^([A-Za-z\d+/]{22}==|[A-Za-z\d+/]{27}=|[A-Za-z\d+/]{43}=|[A-Za-z\d+/]{64}|[A-Za-z\d+/]{86}==)$/,
  /^A[A-Z]AAAA[A-Za-z\d+/]{40,}={0,2}$/
]

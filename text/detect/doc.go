// Package detect marks what has a shape: e-mail addresses, URLs, phone and card numbers,
// IBANs, IP addresses, dates, times, ages, amounts of money, national numbers of some
// countries, long runs of digits, and keys and passwords. It does not find names, places or
// anything else that is told by its meaning. What it misses stays in clear.
package detect

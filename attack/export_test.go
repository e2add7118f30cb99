package attack

// Exact is exact, for searches over shares that are made up.
var Exact = exact

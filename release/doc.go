// Package release is the loop of every release: batches of texts come in, are charged for,
// drawn, and written. It has streams, pools that are written in another order, and the
// users of a run. What one draw protects is a [Unit], of which the loop knows nothing else.
package release

// Package writing has a language model write public texts of a field, for a corpus.
//
// What the model is told is a description and public attributes: who writes, what about, in
// what tone, at what length. The package imports no other of this project, so it cannot
// read a private text, and a test holds it so. The texts are as public as the model: one
// that was trained on private texts may repeat them.
package writing

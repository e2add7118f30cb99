package experiment

import "math"

// linked returns the chance that an attacker who knows the mechanism and some candidates,
// each as likely, names the one that a released text came from, and the limit of that
// chance at that loss. For one group of candidates the chance is the mean over them of the
// sum over outputs of the largest chance that one of them gives. It is counted, not drawn:
// outputs in the set of some candidate have the larger chance. It is the mean over the
// whole groups among the first texts of the private ones, and over one group if there is
// none.
func (c *codebook) linked(r *released, texts, among int) (chance, limit float64, err error) {
	k, m, size := r.channel.Neighbours, c.corpus.Len(), min(among, c.private.Len())
	low := 1 / (float64(k)*math.Exp(r.channel.Epsilon) + float64(m-k))
	groups := max(1, min(c.private.Len(), texts)/size)
	for g := range groups {
		var vectors []int8
		for _, t := range c.private.Texts[g*size : (g+1)*size] {
			vectors = c.encoder.Encode(vectors, []byte(t))
		}
		sets, err := c.corpus.Nearest(nil, vectors, k)
		if err != nil {
			return 0, 0, err
		}
		covered := map[uint32]bool{}
		for _, z := range sets {
			covered[z] = true
		}
		n := float64(len(covered))
		chance += low * (n*math.Exp(r.channel.Epsilon) + float64(m) - n) / float64(size) / float64(groups)
	}
	return chance, limitAmong(size, r.channel.Epsilon), nil
}

//! Transfer functions of linear systems x' = A x + b u, y = x₁.

use super::polynomial::Polynomial;

/// A and b, scaled by row.
pub(super) struct StateSpace<const M: usize> {
    pub(super) matrix: [[f64; M]; M],
    pub(super) inputs: Vec<[f64; M]>,
}

impl<const M: usize> StateSpace<M> {
    /// The characteristic polynomial of A, and for each input the numerator of its transfer function to the first
    /// component, by the method of Faddeev and LeVerrier: adj(sI - A) = Σ sᵏ Nₖ.
    pub(super) fn transfer(&self) -> (Polynomial, Vec<Polynomial>) {
        let mut characteristic = [0.0; M].to_vec();
        characteristic.push(1.0);
        let mut numerators = vec![vec![0.0; M]; self.inputs.len()];
        let mut adjoint = [[0.0; M]; M];
        for step in 1..=M {
            let power = M - step;
            adjoint = self.times(&adjoint);
            for (index, row) in adjoint.iter_mut().enumerate() {
                row[index] += characteristic[power + 1];
            }
            for (numerator, input) in numerators.iter_mut().zip(&self.inputs) {
                numerator[power] = adjoint[0].iter().zip(input).map(|(one, other)| one * other).sum();
            }
            let product = self.times(&adjoint);
            let trace: f64 = (0..M).map(|index| product[index][index]).sum();
            characteristic[power] = -trace / step as f64;
        }
        (Polynomial::new(characteristic), numerators.into_iter().map(Polynomial::new).collect())
    }

    fn times(&self, other: &[[f64; M]; M]) -> [[f64; M]; M] {
        let cell =
            |row: usize, column: usize| (0..M).map(|at| self.matrix[row][at] * other[at][column]).sum();
        std::array::from_fn(|row| std::array::from_fn(|column| cell(row, column)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x₁' = x₂, x₂' = -6 x₁ - 5 x₂ + u: 1/(s² + 5 s + 6); an input at x₁ gives s + 5.
    #[test]
    fn a_second_order_system() {
        let system = StateSpace { matrix: [[0.0, 1.0], [-6.0, -5.0]], inputs: vec![[0.0, 1.0], [1.0, 0.0]] };
        let (characteristic, numerators) = system.transfer();
        assert_eq!(characteristic, Polynomial::new([6.0, 5.0, 1.0]));
        assert_eq!(numerators, [Polynomial::new([1.0]), Polynomial::new([5.0, 1.0])]);
    }
}

//! Polynomials with real coefficients.

use super::Complex;

/// A polynomial with real coefficients.
#[must_use]
#[derive(Clone, Debug, PartialEq)]
pub struct Polynomial {
    /// In ascending order of powers; the last is not zero unless it is the only one.
    coefficients: Vec<f64>,
}

impl Polynomial {
    /// A polynomial from its coefficients, in ascending order of powers.
    pub fn new(coefficients: impl Into<Vec<f64>>) -> Self {
        let mut coefficients = coefficients.into();
        while coefficients.len() > 1 && coefficients.last() == Some(&0.0) {
            coefficients.pop();
        }
        if coefficients.is_empty() {
            coefficients.push(0.0);
        }
        Self { coefficients }
    }

    /// `s + root`.
    pub fn shifted(root: f64) -> Self {
        Self::new([root, 1.0])
    }

    /// `s`.
    pub fn s() -> Self {
        Self::shifted(0.0)
    }

    /// The product.
    pub fn times(&self, other: &Self) -> Self {
        let mut product = vec![0.0; self.coefficients.len() + other.coefficients.len() - 1];
        for (i, one) in self.coefficients.iter().enumerate() {
            for (j, two) in other.coefficients.iter().enumerate() {
                product[i + j] += one * two;
            }
        }
        Self::new(product)
    }

    /// The sum.
    pub fn plus(&self, other: &Self) -> Self {
        let at = |list: &[f64], index: usize| list.get(index).copied().unwrap_or(0.0);
        let length = self.coefficients.len().max(other.coefficients.len());
        let sum = (0..length).map(|index| at(&self.coefficients, index) + at(&other.coefficients, index));
        Self::new(sum.collect::<Vec<f64>>())
    }

    /// The product with a number.
    pub fn scaled(&self, factor: f64) -> Self {
        Self::new(self.coefficients.iter().map(|one| factor * one).collect::<Vec<f64>>())
    }

    /// The degree; zero for a constant.
    pub fn degree(&self) -> usize {
        self.coefficients.len() - 1
    }

    /// The value at a point.
    pub fn at(&self, s: Complex) -> Complex {
        self.coefficients.iter().rev().fold(Complex::default(), |sum, one| sum * s + Complex::from(*one))
    }

    /// The derivative at a point.
    pub fn slope_at(&self, s: Complex) -> Complex {
        let terms = self.coefficients.iter().enumerate().skip(1).rev();
        terms.fold(Complex::default(), |sum, (power, one)| sum * s + Complex::from(*one * power as f64))
    }

    /// A radius that encloses all roots: Fujiwara's bound, which scales with the roots; zero for a constant.
    pub fn roots_within(&self) -> f64 {
        let (last, others) = self.coefficients.split_last().expect("a polynomial has a coefficient");
        let bounds = others.iter().rev().enumerate().map(|(index, one)| {
            let halved = if index + 1 == others.len() { 0.5 } else { 1.0 };
            libm::pow((halved * one / last).abs(), 1.0 / (index as f64 + 1.0))
        });
        2.0 * bounds.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::complex::modulus;

    #[test]
    fn products_and_sums_match_the_functions() {
        let (one, two) = (Polynomial::new([1.0, 2.0, 3.0]), Polynomial::shifted(-4.0));
        for s in [Complex::new(0.3, -2.0), Complex::new(0.0, 7.0), Complex::from(-1.5)] {
            assert!(modulus(one.times(&two).at(s) - one.at(s) * two.at(s)) < 1e-9);
            assert!(modulus(one.plus(&two).at(s) - (one.at(s) + two.at(s))) < 1e-12);
        }
        assert_eq!(one.times(&two).degree(), 3);
        assert_eq!(one.plus(&Polynomial::new([0.0, 0.0, -3.0])).degree(), 1);
    }

    #[test]
    fn the_radius_encloses_the_roots_and_scales_with_them() {
        for scale in [1e-3, 1.0, 1e6] {
            let roots = [0.2, 1.0, 3.0].map(|root| Polynomial::shifted(root * scale));
            let radius = roots[0].times(&roots[1]).times(&roots[2]).roots_within();
            assert!(radius >= 3.0 * scale && radius < 10.0 * scale, "{radius}");
        }
        assert_eq!(Polynomial::new([0.0, 0.0, 1.0]).roots_within(), 0.0);
    }

    #[test]
    fn the_slope_is_that_of_the_function() {
        let polynomial = Polynomial::new([5.0, -1.0, 0.5, 2.0]);
        let (s, step) = (Complex::new(0.7, 1.3), 1e-6);
        let difference = polynomial.at(s + Complex::from(step)) - polynomial.at(s - Complex::from(step));
        assert!(modulus(difference * (0.5 / step) - polynomial.slope_at(s)) < 1e-6);
    }
}

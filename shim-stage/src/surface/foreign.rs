//! Arrays and pictures of other crates as parameters, each behind a feature of shim.

use syn::{GenericArgument, Path, PathArguments, Type};

/// An array of another crate.
#[derive(Debug, Clone)]
pub struct ForeignTensor {
    /// The number of its axes.
    pub rank: usize,
    /// The type of its elements, where it is spelled or the name says it.
    pub element: Option<Type>,
    /// Whether a value of the type borrows its elements, and whether they can be written.
    pub borrows: Option<bool>,
}

/// The array that a type is, by its name.
pub fn foreign_tensor(ty: &Type) -> Option<ForeignTensor> {
    let Type::Path(path) = ty else { return None };
    let array = cfg!(feature = "ndarray").then(|| array(&path.path)).flatten();
    array.or_else(|| cfg!(feature = "image").then(|| picture(&path.path)).flatten())
}

/// `Array2<T>`, `ArrayView<'_, T, Ix2>` and the like of `ndarray`.
fn array(path: &Path) -> Option<ForeignTensor> {
    let last = path.segments.last()?;
    let name = last.ident.to_string();
    let borrows = [("ArrayViewMut", Some(true)), ("ArrayView", Some(false)), ("Array", None)];
    let (rest, borrows) =
        borrows.into_iter().find_map(|(prefix, borrows)| Some((name.strip_prefix(prefix)?, borrows)))?;
    let types = types(&last.arguments);
    let rank = match (rest, types.get(1)) {
        ("", Some(Type::Path(dim))) => {
            dim.path.segments.last()?.ident.to_string().strip_prefix("Ix")?.parse()
        }
        ("", _) => return None,
        (number, _) => number.parse(),
    };
    let rank = rank.ok().filter(|rank| (1..=6).contains(rank))?;
    Some(ForeignTensor { rank, element: types.first().cloned(), borrows })
}

/// `RgbImage`, `ImageBuffer<Luma<u16>, _>` and the like of `image`: rows of samples, or of pixels with an axis of channels.
fn picture(path: &Path) -> Option<ForeignTensor> {
    let last = path.segments.last()?;
    let picture =
        |rank, element: &str| ForeignTensor { rank, element: syn::parse_str(element).ok(), borrows: None };
    Some(match last.ident.to_string().as_str() {
        "GrayImage" => picture(2, "u8"),
        "GrayAlphaImage" | "RgbImage" | "RgbaImage" => picture(3, "u8"),
        "Rgb32FImage" | "Rgba32FImage" => picture(3, "f32"),
        "ImageBuffer" => {
            let types = types(&last.arguments);
            let Type::Path(pixel) = types.first()? else { return None };
            let pixel = pixel.path.segments.last()?;
            let rank = match pixel.ident.to_string().as_str() {
                "Luma" => 2,
                "LumaA" | "Rgb" | "Rgba" => 3,
                _ => return None,
            };
            ForeignTensor { rank, element: self::types(&pixel.arguments).first().cloned(), borrows: None }
        }
        _ => return None,
    })
}

fn types(arguments: &PathArguments) -> Vec<Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return Vec::new() };
    let ty = |argument: &GenericArgument| match argument {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    };
    arguments.args.iter().filter_map(ty).collect()
}
